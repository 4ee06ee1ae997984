//! Values that readers and options should refuse or survive.

use crate::random::Random;

/// Numbers at the limits of types, and words that only some parsers take for numbers.
const NUMBERS: &str = "\
0 -0 -1 1 2 00001 +5 1e308 -1e308 1e-320 1e400 NaN nan inf -inf Infinity 18446744073709551615 \
18446744073709551616 9223372036854775807 -9223372036854775808 4294967295 4294967296 2147483648 65536 \
99999999999999999999999999 0x10 1e . 1_000 1,5 ١٢ 0.1e-9999999 None NA";

/// Texts that are special to terminals, formats or file systems.
const TEXTS: [&str; 34] = [
    "",
    " ",
    "-",
    "--",
    ".",
    "..",
    "/",
    "../..",
    "no/where",
    "a/b",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;title\u{7}",
    "\u{7}\u{8}",
    "a\rb",
    "\u{85}",
    "\u{9b}31m",
    "\u{202e}abc",
    "\u{2028}",
    "\u{feff}",
    "\u{200b}",
    "[x](http://x)",
    "a|b",
    "\\input{x}",
    "<script>",
    "&amp;&#0;",
    "\"",
    "'",
    "%s%n",
    "{}",
    "=1+1",
    "\u{10ffff}",
    "e\u{301}\u{301}\u{301}",
    "日本語のテキスト",
    "नमस्ते",
];

/// An extreme number.
pub fn number(random: &mut Random) -> &'static str {
    let numbers: Vec<&str> = NUMBERS.split(' ').collect();
    numbers[random.below(numbers.len())]
}

/// An unusual text.
pub fn text(random: &mut Random) -> String {
    if random.one_in(12) {
        return "x".repeat([300, 5_000, 70_000][random.below(3)]);
    }
    (*random.choose(&TEXTS)).to_owned()
}

/// A long line without line ends, of a kind that is expensive to some algorithm.
pub fn long_line(random: &mut Random) -> String {
    let length = if random.one_in(16) { 1 << 20 } else { [2_000, 12_000, 50_000][random.below(3)] };
    let mut line = String::with_capacity(length + 64);
    let kind = random.below(8);
    let mut count = 0u64;
    while line.len() < length {
        count += 1;
        match kind {
            0 => line.push('x'),
            1 => line.push_str("the "),
            2 => line.push_str(&format!("w{count} ")),
            3 => line.push_str(&format!("{} ", random.below(40))),
            4 => line.push_str(&equal_java_hashes(count)),
            5 => line.push_str(random.choose::<&str>(&["the ", "a ", "dog ", "cat ", "saw "])),
            6 => line.push('語'),
            _ => line.push_str(random.choose::<&str>(&[". ", ", ", "&amp;", "'s ", "1,000.5", "(", ")"])),
        }
    }
    line
}

/// Words that have the same `hashCode` in Java: each pair of letters is `Aa` or `BB`.
fn equal_java_hashes(number: u64) -> String {
    let mut word: String = (0..16).map(|bit| if number >> bit & 1 == 0 { "Aa" } else { "BB" }).collect();
    word.push(' ');
    word
}
