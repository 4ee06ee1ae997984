//! Fields of a protobuf message, as far as readers of model files need them.

/// The value of a field.
pub enum Value<'a> {
    /// A whole number.
    Number(u64),
    /// A text, a message, or a number of 4 or 8 bytes.
    Bytes(&'a [u8]),
}

/// The fields of a message in order; an error if it ends in the middle of one.
pub struct Fields<'a>(pub &'a [u8]);

/// Why a message cannot be read.
pub type Broken = &'static str;

const ENDS_EARLY: Broken = "it ends in the middle of a field";

impl<'a> Fields<'a> {
    /// The number and the value of the next field.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, Broken> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Bytes(self.bytes(8)?),
            2 => {
                let length = self.number()?;
                Value::Bytes(self.bytes(usize::try_from(length).map_err(|_| ENDS_EARLY)?)?)
            }
            5 => Value::Bytes(self.bytes(4)?),
            _ => return Err("a field has an unknown type"),
        };
        Ok(Some((key >> 3, value)))
    }

    /// A number in groups of seven bits, the lowest first.
    pub fn number(&mut self) -> Result<u64, Broken> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(ENDS_EARLY)?;
            self.0 = rest;
            number |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Ok(number);
            }
        }
        Err("a number has more than 64 bits")
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], Broken> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(ENDS_EARLY)?;
        self.0 = rest;
        Ok(bytes)
    }
}
