//! sled. A batch is atomic; nothing but a full buffer of the log leaves the process by itself.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Properties, Result};
use sled::{Config, Db};
use std::collections::BTreeMap;

struct Sled {
    database: Db,
    cache: u64,
}

impl Engine for Sled {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let value = self.database.get(key)?;
        Ok(value.inspect(|value| found(value)).is_some())
    }

    fn write(&self, batch: Batch) -> Result<()> {
        match batch {
            Batch::Put(key, value) => self.database.insert(key, value).map(drop)?,
            Batch::Delete(key) => self.database.remove(key).map(drop)?,
            Batch::Many(_) => {
                let mut writes = sled::Batch::default();
                batch.each(|key, value| {
                    match value {
                        Some(value) => writes.insert(key, value),
                        None => writes.remove(key),
                    }
                    Ok(())
                })?;
                self.database.apply_batch(writes)?;
            }
        }
        Ok(())
    }

    fn scan(
        &self,
        from: &[u8],
        to: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<()> {
        for record in self.database.range::<&[u8], _>(embedded::range(from, to)) {
            let (key, value) = record?;
            if !visit(&key, &value) {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self) -> BTreeMap<String, String> {
        embedded::facts([
            ("version", &version!("sled")),
            ("cache-bytes", &self.cache),
        ])
    }
}

fn open(properties: &Properties) -> Result<Sled> {
    let cache = properties.number("cache-bytes")?;
    let config = Config::new()
        .path(properties.text("dir")?)
        .cache_capacity(cache)
        .flush_every_ms(None);
    Ok(Sled { database: config.open()?, cache })
}

export!(open);
