//! The wording of the command.

#[path = "../../tercet-base/messages/tests.rs"]
mod messages;

use crate::output::{error_sentence, sentence};
use messages::{check_wording, errors, warnings};

#[test]
fn the_wording_of_the_command_is_that_of_the_snapshot() {
    let warnings = warnings().iter().map(|warning| format!("warning: {}\n", sentence(warning))).collect::<String>();
    let errors = errors().into_iter().map(|error| format!("error: {}\n", error_sentence(&error.into())));
    check_wording("command.txt", &(warnings + &errors.collect::<String>()));
}
