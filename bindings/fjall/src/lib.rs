//! Fjall. With `sync` a write is a batch of its own, whose commit syncs the journal.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, Properties, Result, Visit};
use fjall::config::{BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode};

struct Fjall {
    database: Database,
    records: Keyspace,
    sync: bool,
    compression: CompressionType,
}

impl Engine for Fjall {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        for key in keys {
            found(self.records.get(key)?.as_deref());
        }
        Ok(())
    }

    fn write(&self, batch: Batch) -> Result<()> {
        match batch {
            Batch::Put(key, value) if !self.sync => Ok(self.records.insert(key, value)?),
            Batch::Delete(key) if !self.sync => Ok(self.records.remove(key)?),
            _ => {
                let mode = if self.sync { PersistMode::SyncAll } else { PersistMode::Buffer };
                let mut writes = self.database.batch().durability(Some(mode));
                batch.each(|key, value| {
                    match value {
                        Some(value) => writes.insert(&self.records, key, value),
                        None => writes.remove(&self.records, key),
                    }
                    Ok(())
                })?;
                Ok(writes.commit()?)
            }
        }
    }

    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()> {
        for record in self.records.range::<&[u8], _>(embedded::range(from, to)) {
            let (key, value) = record.into_inner()?;
            if !visit(&key, &value) {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self, _: &Properties) -> Facts {
        embedded::facts([
            ("version", &version!("fjall")),
            ("sync", &self.sync),
            ("compression", &self.compression),
            ("block-cache-bytes", &self.database.cache_capacity()),
        ])
    }

    fn reports(&self) -> Facts {
        let running = self.database.active_compactions();
        embedded::facts([
            ("compactions", &self.database.compactions_completed()),
            ("pending-work", &(running + self.database.outstanding_flushes())),
            ("tables", &self.records.table_count()),
        ])
    }
}

fn open(properties: &Properties) -> Result<Fjall> {
    let words = [("none", CompressionType::None), ("lz4", CompressionType::Lz4)];
    let compression = properties.choice("compression", &words)?;
    let bits = properties.number("bloom-bits")? as f32;
    let filter = match bits > 0.0 {
        true => FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(bits)),
        false => FilterPolicyEntry::None,
    };
    let buffer = properties.number("write-buffer-bytes")?;
    let sync = properties.flag("sync")?;
    let cache = properties.number("block-cache-bytes")?;
    let database = Database::builder(properties.text("dir")?).cache_size(cache).open()?;
    let records = database.keyspace("records", || {
        KeyspaceCreateOptions::default()
            .max_memtable_size(buffer)
            .filter_policy(FilterPolicy::all(filter))
            .data_block_compression_policy(CompressionPolicy::all(compression))
    })?;
    Ok(Fjall { database, records, sync, compression })
}

export!(open);
