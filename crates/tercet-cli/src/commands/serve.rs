//! `tercet serve`: the service of `tercet-serve` with the settings that flags give.

use crate::args::ServeArgs;
use crate::output::{self, Misuse};
use crate::progress::exit_stopped;
use anyhow::Context;
use std::path::Path;
use std::time::Duration;
use tercet::metrics::Registry;
use tercet_serve::{Error, Service, Settings, Signal};

/// The environment variable with the token.
const VARIABLE: &str = "TERCET_TOKEN";

/// Serves until it is stopped.
pub fn run(args: &ServeArgs, registry: Registry) -> anyhow::Result<()> {
    args.work.reading.set();
    let settings = Settings {
        listen: args.listen,
        token: token(args.token_file.as_deref())?,
        hosts: args.allow_host.clone(),
        base_path: args.base_path.clone(),
        access_log: args.access_log.clone(),
        files: args.allow_files.clone(),
        jobs: args.jobs.map(usize::from),
        threads: args.work.threads.map(usize::from),
        queue: args.queue,
        timeout: Duration::from_secs(args.timeout),
        max_body: usize::try_from(args.max_body).context("--max-body is too large")?,
        max_held: usize::try_from(args.max_held).context("--max-held is too large")?,
    };
    let service = Service::bind(&settings, registry).map_err(with_flags)?;
    output::print(&format!("{}/\n", service.url()))?;
    service.run(|signal| match signal {
        Signal::Finish(unfinished) => output::note(format_args!(
            "stopping; unfinished requests: {unfinished} (press Ctrl-C again to stop at once)"
        )),
        Signal::End => exit_stopped(),
    });
    Ok(())
}

/// The token of the file, or else of the environment.
fn token(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(path) = file else {
        return Ok(std::env::var_os(VARIABLE).map(|token| token.to_string_lossy().into_owned()));
    };
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("--token-file: cannot read {}", path.display()))?;
    Ok(Some(text.lines().next().unwrap_or_default().trim().to_owned()))
}

/// The error with the flags that it is about.
fn with_flags(error: Error) -> anyhow::Error {
    match error {
        Error::NoToken { .. } => {
            Misuse(format!("--listen {error}: name a file with --token-file, or set {VARIABLE}")).into()
        }
        Error::BadHost { .. } => Misuse(format!("--allow-host: {error}")).into(),
        Error::BadBasePath { .. } => Misuse(format!("--base-path: {error}")).into(),
        Error::AccessLog { .. } => anyhow::anyhow!("--access-log: {:#}", anyhow::Error::from(error)),
        Error::BadToken => Misuse(error.to_string()).into(),
        Error::Folder { .. } => anyhow::anyhow!("--allow-files: {:#}", anyhow::Error::from(error)),
        error => error.into(),
    }
}
