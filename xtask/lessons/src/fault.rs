//! What is wrong with a lesson, and where.

use std::fmt;

/// One fault: the file as seen from the root of the repository, the line (0 = the file as a whole), and what to mend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 = the whole file.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Fault {
    /// A fault at a line.
    pub fn at(file: impl Into<String>, line: usize, message: impl Into<String>) -> Fault {
        Fault {
            file: file.into(),
            line,
            message: message.into(),
        }
    }

    /// A fault of a file as a whole.
    pub fn of(file: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault::at(file, 0, message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(f, "{}:{}: {}", self.file, self.line, self.message)
        }
    }
}

/// The line of a byte of a text, from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    let before = text.get(..byte).unwrap_or(text);
    before.matches('\n').count() + 1
}
