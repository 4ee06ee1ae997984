//! Files that requests may name in the options of metrics: none, or those in one folder.

use crate::Error;
use crate::error_response::ErrorResponse;
use std::path::{Path, PathBuf};
use tercet::context::FilesOfModels;
use tercet::metrics::{self, Registry};
use tercet::scoring::MetricRequest;
use tercet::spec::Spec;

/// The folder whose files may be named.
pub struct AllowedFiles {
    folder: Option<PathBuf>,
}

impl AllowedFiles {
    /// `None`: no files.
    pub fn new(folder: Option<&Path>) -> Result<Self, Error> {
        let real = |folder: &Path| {
            let real = folder.canonicalize().and_then(|real| real.read_dir().map(|_| real));
            real.map_err(|source| Error::Folder { path: folder.to_owned(), source })
        };
        Ok(AllowedFiles { folder: folder.map(real).transpose()? })
    }

    /// Models open no other files than those of the folder, whatever they name.
    pub fn restrict(&self, registry: &Registry) {
        if let Some(folder) = &self.folder {
            registry.context().set(FilesOfModels(Some(folder.clone())));
        }
    }

    /// A text without the folder in front of names of its files, which is nobody's business.
    pub fn without_folder(&self, text: &mut String) {
        let Some(folder) = &self.folder else { return };
        let folder = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
        if text.contains(&folder) {
            *text = text.replace(&folder, "");
        }
    }

    /// The metric with its files found in the folder; an error if it names others.
    pub fn metric(&self, name: &str, registry: &Registry) -> Result<MetricRequest, ErrorResponse> {
        let spec = match metrics::read_sacrebleu_signature(name) {
            Some(read) => read?.spec.to_string(),
            None => name.to_owned(),
        };
        if registry.named_files(&spec)?.is_empty() {
            return Ok(MetricRequest::from(name));
        }
        let Some(folder) = &self.folder else {
            let message = format!("`{name}` names a file, which this server does not allow (--allow-files DIR)");
            return Err(ErrorResponse::unusable(message));
        };
        let found = in_folder(&spec, folder, registry)?;
        for file in registry.named_files(&found)? {
            let is_inside = file.canonicalize().is_ok_and(|real| real.starts_with(folder));
            if !is_inside {
                let message = format!("`{name}`: there is no such file in the folder of this server's files");
                return Err(ErrorResponse::unusable(message));
            }
            if !is_plain(&file, folder, DEPTH) {
                let message =
                    format!("`{name}`: expected a file, or a folder of files, without links out of the folder");
                return Err(ErrorResponse::unusable(message));
            }
        }
        Ok(MetricRequest { spec: found, name: name.to_owned() })
    }
}

/// Folders within folders of a model, at most.
const DEPTH: usize = 8;

/// Whether a path is a file, or a folder of files, all of them in a folder: no pipe, which would be waited for, no
/// device, and no link that leads out.
fn is_plain(path: &Path, folder: &Path, depth: usize) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let Ok(about) = real.metadata() else { return false };
    match about.is_dir() {
        _ if !real.starts_with(folder) => false,
        true if depth == 0 => false,
        true => real.read_dir().is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| is_plain(&entry.path(), folder, depth - 1)))
        }),
        false => about.is_file(),
    }
}

/// The metric with its files in a folder. Options that are not given stay so, since the target language decides about
/// some of them, and what follows the bar stays, since it is compared with the files.
fn in_folder(text: &str, folder: &Path, registry: &Registry) -> tercet::Result<String> {
    let given = Spec::parse("metric", text)?;
    let with_files = Spec::parse("metric", &registry.relative_to(text, folder)?)?;
    let mut placed = given.clone();
    for (key, value) in given.options() {
        if let Some(path) = with_files.option(key).filter(|path| Path::new(path) == folder.join(value)) {
            placed = placed.with_option(key, path);
        }
    }
    Ok(placed.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_the_folder_and_nowhere_else() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("models");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("words"), "a\n").unwrap();
        std::fs::write(scratch.path().join("secret"), "a\n").unwrap();
        let allowed = AllowedFiles::new(Some(&folder)).unwrap();
        let registry = tercet::registry();
        let named = |file: &str| allowed.metric(&format!("meteor:function_words={file}"), &registry);
        assert!(named("words").is_ok());
        let outside = scratch.path().join("secret").display().to_string();
        for file in ["../secret", "words/../../secret", "/etc/passwd", "missing", &outside] {
            assert!(named(file).is_err(), "{file}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(scratch.path().join("secret"), folder.join("link")).unwrap();
            assert!(named("link").is_err());
            let model = folder.join("model");
            std::fs::create_dir(&model).unwrap();
            std::fs::write(model.join("config.json"), "{}").unwrap();
            let bert = || allowed.metric("bertscore:model=model", &registry);
            assert!(bert().is_ok());
            std::os::unix::fs::symlink(scratch.path().join("secret"), model.join("vocab.txt")).unwrap();
            assert!(bert().is_err(), "a link out of the folder");
            std::fs::remove_file(model.join("vocab.txt")).unwrap();
            let pipe = model.join("vocab.txt");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            assert!(bert().is_err(), "a pipe in a model");
            assert!(named("model/vocab.txt").is_err(), "a pipe");
        }
    }

    #[test]
    fn only_the_paths_of_files_change() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("words"), "a\n").unwrap();
        let allowed = AllowedFiles::new(Some(folder.path())).unwrap();
        let real = folder.path().canonicalize().unwrap();
        let spec = "meteor:function_words=words,alpha=0.5|function_words=1234";
        let found = allowed.metric(spec, &tercet::registry()).unwrap();
        let path = real.join("words").display().to_string();
        assert_eq!(found.spec, format!("meteor:function_words={path},alpha=0.5|function_words=1234"));
    }

    #[test]
    fn without_a_folder_no_file_is_named() {
        let (allowed, registry) = (AllowedFiles::new(None).unwrap(), tercet::registry());
        let named = |spec: &str| allowed.metric(spec, &registry);
        assert_eq!(named("bleu:tok=intl").unwrap().spec, "bleu:tok=intl");
        assert!(named("meteor:paraphrase=x").is_err());
        assert!(named("blue").is_err());
    }
}
