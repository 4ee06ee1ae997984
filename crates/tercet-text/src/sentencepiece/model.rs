//! The message inside a model file.

use super::Settings;
use tercet_base::protobuf::{Broken, Fields, Value};

// Field numbers of sentencepiece_model.proto.
const PIECES: u64 = 1;
const TRAINER: u64 = 2;
const NORMALIZER: u64 = 3;
const PIECE_TEXT: u64 = 1;
const PIECE_SCORE: u64 = 2;
const PIECE_KIND: u64 = 3;
const TRAINER_MODEL: u64 = 3;
const TRAINER_SPACE_AFTER: u64 = 24;
const TRAINER_BYTE_FALLBACK: u64 = 35;
const NORMALIZER_RULES: u64 = 2;
const NORMALIZER_ADD_SPACE: u64 = 3;
const NORMALIZER_REMOVE_EXTRA_SPACES: u64 = 4;
const NORMALIZER_ESCAPE_SPACES: u64 = 5;

const UNIGRAM: u64 = 1;
const BPE: u64 = 2;

/// What a piece is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

impl Kind {
    /// Whether texts consist of such pieces.
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Normal | Kind::UserDefined | Kind::Unused)
    }
}

/// A piece.
pub(super) struct Piece<'a> {
    pub text: &'a [u8],
    pub score: f32,
    pub kind: Kind,
}

/// What a model file says.
pub(super) struct Model<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub settings: Settings,
    pub rules: &'a [u8],
    pub is_bpe: bool,
}

impl<'a> Model<'a> {
    /// Reads a file; the error says what is wrong with it.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let mut model = Model {
            pieces: Vec::new(),
            settings: Settings {
                add_space: true,
                space_after: false,
                remove_extra_spaces: true,
                escape_spaces: true,
                byte_fallback: false,
            },
            rules: &[],
            is_bpe: false,
        };
        let kind = model.read_fields(bytes).map_err(|broken| format!("it is no model of SentencePiece: {broken}"))?;
        model.is_bpe = match kind {
            UNIGRAM => false,
            BPE => true,
            _ => {
                let what = "it is a model of words or of characters (only unigram and BPE models are read)";
                return Err(what.to_owned());
            }
        };
        model.check()?;
        Ok(model)
    }

    /// Reads all fields and returns the type of model.
    fn read_fields(&mut self, bytes: &'a [u8]) -> Result<u64, Broken> {
        let (mut message, mut kind) = (Fields(bytes), UNIGRAM);
        while let Some(field) = message.next()? {
            match field {
                (PIECES, Value::Bytes(piece)) => self.pieces.push(read_piece(piece)?),
                (TRAINER, Value::Bytes(trainer)) => self.read_trainer(trainer, &mut kind)?,
                (NORMALIZER, Value::Bytes(normalizer)) => self.read_normalizer(normalizer)?,
                _ => (),
            }
        }
        Ok(kind)
    }

    fn read_trainer(&mut self, bytes: &'a [u8], kind: &mut u64) -> Result<(), Broken> {
        let mut trainer = Fields(bytes);
        while let Some(field) = trainer.next()? {
            match field {
                (TRAINER_MODEL, Value::Number(model)) => *kind = model,
                (TRAINER_SPACE_AFTER, Value::Number(flag)) => self.settings.space_after = flag != 0,
                (TRAINER_BYTE_FALLBACK, Value::Number(flag)) => self.settings.byte_fallback = flag != 0,
                _ => (),
            }
        }
        Ok(())
    }

    fn read_normalizer(&mut self, bytes: &'a [u8]) -> Result<(), Broken> {
        let (mut normalizer, settings) = (Fields(bytes), &mut self.settings);
        while let Some(field) = normalizer.next()? {
            match field {
                (NORMALIZER_RULES, Value::Bytes(rules)) => self.rules = rules,
                (NORMALIZER_ADD_SPACE, Value::Number(flag)) => settings.add_space = flag != 0,
                (NORMALIZER_REMOVE_EXTRA_SPACES, Value::Number(flag)) => settings.remove_extra_spaces = flag != 0,
                (NORMALIZER_ESCAPE_SPACES, Value::Number(flag)) => settings.escape_spaces = flag != 0,
                _ => (),
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let count = |kind: Kind| self.pieces.iter().filter(|piece| piece.kind == kind).count();
        let what = if self.pieces.iter().any(|piece| piece.text.is_empty()) {
            "a piece is empty"
        } else if count(Kind::Unknown) != 1 {
            "it has not exactly one piece for unknown text"
        } else if self.settings.byte_fallback && count(Kind::Byte) != 256 {
            "it has not 256 pieces for bytes"
        } else if self.pieces.iter().any(|piece| !piece.score.is_finite()) {
            "the score of a piece is not finite"
        } else {
            return Ok(());
        };
        Err(what.to_owned())
    }
}

fn read_piece(bytes: &[u8]) -> Result<Piece<'_>, Broken> {
    let (mut message, mut piece) = (Fields(bytes), Piece { text: &[], score: 0.0, kind: Kind::Normal });
    while let Some(field) = message.next()? {
        match field {
            (PIECE_TEXT, Value::Bytes(text)) => piece.text = text,
            (PIECE_SCORE, Value::Bytes(score)) => {
                let score = score.try_into().map_err(|_| "a score has not 4 bytes")?;
                piece.score = f32::from_le_bytes(score);
            }
            (PIECE_KIND, Value::Number(kind)) => piece.kind = read_kind(kind)?,
            _ => (),
        }
    }
    Ok(piece)
}

fn read_kind(kind: u64) -> Result<Kind, Broken> {
    Ok(match kind {
        1 => Kind::Normal,
        2 => Kind::Unknown,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        5 => Kind::Unused,
        6 => Kind::Byte,
        _ => return Err("a piece is of an unknown kind"),
    })
}
