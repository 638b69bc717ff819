//! No engine: a call returns at once, which is for what a call costs.

#[path = "../../embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Properties, Result};
use std::collections::BTreeMap;

struct Nothing;

impl Engine for Nothing {
    fn get(&self, _key: &[u8], found: &mut dyn FnMut(&[u8])) -> Result<bool> {
        found(&[]);
        Ok(true)
    }

    fn write(&self, _batch: Batch) -> Result<()> {
        Ok(())
    }

    fn scan(&self, _: &[u8], _: Option<&[u8]>, _: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        Ok(())
    }

    fn facts(&self) -> BTreeMap<String, String> {
        BTreeMap::from([("stores".to_string(), "nothing".to_string())])
    }
}

fn open(_: &Properties) -> Result<Nothing> {
    Ok(Nothing)
}

export!(open);
