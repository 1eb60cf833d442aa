//! One number for a list of keys: the build script and the page make it the same way.

/// Where it begins (FNV-1a, 32 bits).
pub const FINGERPRINT_START: u32 = 0x811c_9dc5;

/// Goes on with one more key.
pub fn fingerprint(print: u32, key: &str) -> u32 {
    key.bytes().chain([b'\n']).fold(print, |print, byte| {
        (print ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
