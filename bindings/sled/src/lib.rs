//! sled. A batch is atomic; nothing but a full buffer of the log leaves the process by itself.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, Properties, Result, Visit};
use sled::{Config, Db};

struct Sled(Db);

impl Engine for Sled {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        for key in keys {
            found(self.0.get(key)?.as_deref());
        }
        Ok(())
    }

    fn write(&self, batch: Batch) -> Result<()> {
        match batch {
            Batch::Put(key, value) => self.0.insert(key, value).map(drop)?,
            Batch::Delete(key) => self.0.remove(key).map(drop)?,
            Batch::Many(_) => {
                let mut writes = sled::Batch::default();
                batch.each(|key, value| {
                    match value {
                        Some(value) => writes.insert(key, value),
                        None => writes.remove(key),
                    }
                    Ok(())
                })?;
                self.0.apply_batch(writes)?;
            }
        }
        Ok(())
    }

    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()> {
        for record in self.0.range::<&[u8], _>(embedded::range(from, to)) {
            let (key, value) = record?;
            if !visit(&key, &value) {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self, properties: &Properties) -> Facts {
        properties.facts(version!("sled"), ["cache-bytes"])
    }
}

fn open(properties: &Properties) -> Result<Sled> {
    let config = Config::new()
        .path(properties.text("dir")?)
        .cache_capacity(properties.number("cache-bytes")?)
        .flush_every_ms(None);
    Ok(Sled(config.open()?))
}

export!(open);
