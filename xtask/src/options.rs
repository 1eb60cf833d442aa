//! Reading of options: small on purpose; every message says what was found and what was expected.

use crate::{Failure, Outcome};

/// The options of one command line, taken out one by one; what is left at the end was not expected.
pub struct Options {
    command: &'static str,
    rest: Vec<String>,
    passed_on: Vec<String>,
}

impl Options {
    /// Splits off everything after `--`, which is passed on to another program.
    pub fn new(command: &'static str, arguments: &[String]) -> Self {
        let (rest, passed_on) = match arguments.iter().position(|argument| argument == "--") {
            Some(place) => (arguments[..place].to_vec(), arguments[place + 1..].to_vec()),
            None => (arguments.to_vec(), Vec::new()),
        };
        Options {
            command,
            rest,
            passed_on,
        }
    }

    /// Whether the switch is given.
    pub fn switch(&mut self, name: &str) -> bool {
        let before = self.rest.len();
        self.rest.retain(|argument| argument != name);
        self.rest.len() < before
    }

    /// The value of `--name VALUE` or `--name=VALUE`, the first one if it is repeated.
    pub fn value(&mut self, name: &str, expected: &str) -> Outcome<Option<String>> {
        let prefix = format!("{name}=");
        let Some(place) = self
            .rest
            .iter()
            .position(|argument| argument == name || argument.starts_with(&prefix))
        else {
            return Ok(None);
        };
        let found = self.rest.remove(place);
        if let Some(value) = found.strip_prefix(&prefix) {
            return Ok(Some(value.to_owned()));
        }
        if place < self.rest.len() && !self.rest[place].starts_with("--") {
            return Ok(Some(self.rest.remove(place)));
        }
        Err(Failure::Usage(format!(
            "`{name}` needs {expected}; write `{} {name} VALUE`",
            self.command
        )))
    }

    /// Every value of an option that may be repeated, in order.
    pub fn values(&mut self, name: &str, expected: &str) -> Outcome<Vec<String>> {
        let mut found = Vec::new();
        while let Some(value) = self.value(name, expected)? {
            found.push(value);
        }
        Ok(found)
    }

    /// The next argument that is not an option.
    pub fn positional(&mut self) -> Option<String> {
        let place = self
            .rest
            .iter()
            .position(|argument| !argument.starts_with("--"))?;
        Some(self.rest.remove(place))
    }

    /// The arguments after `--`, for a command that passes them on.
    pub fn passed_on(&mut self) -> Vec<String> {
        std::mem::take(&mut self.passed_on)
    }

    /// Refuses whatever was not taken.
    pub fn finish(self, expected: &str) -> Outcome {
        match self.rest.first().or(self.passed_on.first()) {
            None => Ok(()),
            Some(extra) => Err(Failure::Usage(format!(
                "`{}` does not know `{extra}`; expected {expected}",
                self.command
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Options {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::new("serve", &arguments)
    }

    #[test]
    fn values_are_read_in_both_forms() {
        for line in ["--port 8081 --watch", "--watch --port=8081"] {
            let mut options = options(line);
            let port = options.value("--port", "a number").expect("a value");
            assert_eq!(port.as_deref(), Some("8081"));
            assert!(options.switch("--watch"));
            assert!(options.finish("nothing").is_ok());
        }
    }

    #[test]
    fn a_repeated_option_keeps_its_order() {
        let mut options = options("file --set a=1 --set=b=2");
        let values = options.values("--set", "NAME=VALUE").expect("values");
        assert_eq!(values, ["a=1", "b=2"]);
        assert_eq!(options.positional().as_deref(), Some("file"));
    }

    #[test]
    fn a_missing_value_and_an_unknown_option_are_refused() {
        let missing = options("--port --watch").value("--port", "a number");
        assert!(
            matches!(missing, Err(Failure::Usage(reason)) if reason.contains("needs a number"))
        );
        let unknown = options("--fast").finish("--watch");
        assert!(matches!(unknown, Err(Failure::Usage(reason)) if reason.contains("`--fast`")));
        assert!(options("-- --grep").finish("nothing").is_err());
    }
}
