//! No engine: a call returns at once, which is for what a call costs.

#[path = "../../embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, Properties, Result, Visit};

struct Nothing;

impl Engine for Nothing {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        keys.for_each(|_| found(Some(&[])));
        Ok(())
    }

    fn write(&self, _batch: Batch) -> Result<()> {
        Ok(())
    }

    fn scan(&self, _: &[u8], _: Option<&[u8]>, _: &mut Visit) -> Result<()> {
        Ok(())
    }

    fn facts(&self, _: &Properties) -> Facts {
        embedded::facts([("stores", &"nothing")])
    }
}

fn open(_: &Properties) -> Result<Nothing> {
    Ok(Nothing)
}

export!(open);
