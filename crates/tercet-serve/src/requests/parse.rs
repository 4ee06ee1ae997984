//! `/v1/parse`: what `tercet parse` prints.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::request::Endpoint;
use crate::state::Server;
use crate::texts::Texts;
use tercet::parse::{ParseJob, TreeFormat};

/// Bytes of trees, in all their copies until they are sent, for a byte of text: as lines, and drawn, where each word
/// has
/// a line of its own that may be as long as the tree is deep.
const TREE_BYTES: usize = 64;
const DRAWN_BYTES: usize = 400;

/// The same for a line: 25 numbers, for instance.
const LINE_BYTES: usize = 1 << 10;

impl Endpoint for ParseJob {
    const TEXTS: &'static [(&'static str, bool)] = &[("lines", true)];
    const NOT_SET: &'static [&'static str] = &["model", "keep_lemmas"];

    fn check(&mut self, texts: &Texts, _: &Server) -> Result<(), ErrorResponse> {
        self.validate()?;
        Ok(ParseJob::check_lines(&texts.lines)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        let of_byte = if self.format == TreeFormat::Tree { DRAWN_BYTES } else { TREE_BYTES };
        texts.line_bytes().saturating_mul(of_byte).saturating_add(texts.lines.len().saturating_mul(LINE_BYTES))
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        Ok(context.object(&self.run(&texts.lines, context.progress)?.result))
    }
}
