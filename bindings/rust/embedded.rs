//! Lets a Java program call a key-value engine that is written in Rust, in its own process, through
//! the native methods of its class `kvrank.go.GoLibrary`, which serves every engine that is a shared
//! library. An engine is a crate that has this file as a module and says how it is opened:
//!
//! ```ignore
//! #[path = "../../rust/embedded.rs"]
//! #[macro_use]
//! mod embedded;
//!
//! export!(open);
//! ```
//!
//! As an example of its crate, of the same source, it is a program: the loop of reads that the calls
//! from Java are compared with (`read_loop`).
//!
//! It is no crate of its own: Cargo names those that lie beside an engine by their absolute path,
//! and the library would not be the same in another folder.

#![allow(dead_code, unused_macros)] // No engine needs all of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::ops::Bound;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use std::slice;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What goes wrong in an engine: its text is the reason that Java is told.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What an engine tells of itself, by names.
pub type Facts = BTreeMap<String, String>;
/// Takes the value of a key, or that there is none.
pub type Found<'a> = dyn FnMut(Option<&[u8]>) + 'a;
/// Takes a record, and returns whether to go on.
pub type Visit<'a> = dyn FnMut(&[u8], &[u8]) -> bool + 'a;

/// An open database, which many threads use at once. It keeps no slice that it is given: they are
/// memory of the caller.
pub trait Engine: Send + Sync {
    /// Hands the value of each key to `found` in order, or none; in one transaction where reads are
    /// transactions.
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()>;
    /// Does all writes of a batch, in order.
    fn write(&self, batch: Batch) -> Result<()>;
    /// Hands the records of `[from, to)` to `visit` in order, until it returns false.
    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()>;
    /// Tells the version, and the settings that are in force; `properties` are those that it was
    /// opened with.
    fn facts(&self, properties: &Properties) -> Facts;
    /// Tells what it has done, when nothing is measured.
    fn reports(&self) -> Facts {
        Facts::new()
    }
}

/// Returns the facts of these names and values.
pub fn facts<const N: usize>(facts: [(&str, &dyn ToString); N]) -> Facts {
    facts.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Returns the keys of `[from, to)` as Rust's ordered maps take them.
pub fn range<'a>(from: &'a [u8], to: Option<&'a [u8]>) -> (Bound<&'a [u8]>, Bound<&'a [u8]>) {
    (Bound::Included(from), to.map_or(Bound::Unbounded, Bound::Excluded))
}

/// What each thread keeps from one call to its next. If there are more threads than slots, some
/// share one, and do not always find what they kept.
pub struct PerThread<T>([Slot<T>; 256]);

/// On cache lines of its own, of which processors fetch two at a time.
#[repr(align(128))]
struct Slot<T>(AtomicPtr<T>);

impl<T> Slot<T> {
    fn swap(&self, kept: *mut T) -> Option<Box<T>> {
        let before = self.0.swap(kept, Ordering::AcqRel);
        (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
    }
}

impl<T> Drop for Slot<T> {
    fn drop(&mut self) {
        self.swap(null_mut());
    }
}

impl<T: Send> PerThread<T> {
    pub fn take(&self) -> Option<Box<T>> {
        self.slot().swap(null_mut())
    }

    pub fn keep(&self, kept: Box<T>) {
        self.slot().swap(Box::into_raw(kept));
    }

    fn slot(&self) -> &Slot<T> {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed));
        &self.0[THREAD.with(|thread| thread % self.0.len())]
    }
}

impl<T> Default for PerThread<T> {
    fn default() -> Self {
        PerThread([const { Slot(AtomicPtr::new(null_mut())) }; 256])
    }
}

/// Returns the version of a crate that the engine's `Cargo.toml` names exactly.
macro_rules! version {
    ($name:literal) => {
        $crate::embedded::pinned(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
            $name,
        )
    };
}

#[doc(hidden)]
pub fn pinned<'a>(manifest: &'a str, name: &str) -> &'a str {
    let mut lines = manifest.lines();
    let line = lines.find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='));
    line.and_then(|line| line.split(['=', '"']).find(|part| part.starts_with(char::is_numeric)))
        .expect("an exact version")
}

/// What is wrong with a property.
#[derive(Debug)]
struct PropertyError(String);

impl fmt::Display for PropertyError {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl Error for PropertyError {}

/// The properties of the engine's binding, and the names that were asked for.
pub struct Properties {
    values: HashMap<String, String>,
    asked: Mutex<BTreeSet<String>>,
}

impl Properties {
    fn of(values: HashMap<String, String>) -> Self {
        Properties { values, asked: Mutex::default() }
    }

    /// One that nobody asked for is an error; an engine in memory need not ask for its folder.
    fn require_known(&self) -> Result<()> {
        let asked = self.asked.lock().map_err(|_| "a thread has failed")?;
        let mut names: Vec<&String> = self.values.keys().collect();
        names.sort();
        match names.into_iter().find(|name| *name != "dir" && !asked.contains(*name)) {
            None => Ok(()),
            Some(name) => {
                let known: Vec<&str> = asked.iter().map(String::as_str).collect();
                let known = known.join(", ");
                let unknown = format!("there is no property '{name}'; known are {known}");
                Err(PropertyError(unknown).into())
            }
        }
    }

    pub fn text(&self, name: &str) -> Result<&str> {
        if let Ok(mut asked) = self.asked.lock() {
            asked.insert(name.to_string());
        }
        let value = self.values.get(name).map(String::as_str);
        value.ok_or_else(|| PropertyError(format!("the property '{name}' is missing")).into())
    }

    pub fn flag(&self, name: &str) -> Result<bool> {
        let value = self.text(name)?;
        let wrong = || format!("the property '{name}' is '{value}', not true or false");
        value.parse().map_err(|_| PropertyError(wrong()).into())
    }

    pub fn number(&self, name: &str) -> Result<u64> {
        let value = self.text(name)?;
        let wrong = || format!("the property '{name}' is '{value}', not a whole number from 0 on");
        value.parse().map_err(|_| PropertyError(wrong()).into())
    }

    /// Returns what stands for the word that the property is.
    pub fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T> {
        let value = self.text(name)?;
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let wrong =
            || format!("the property '{name}' is '{value}', not one of {}", names.join(", "));
        let chosen = words.iter().find(|(word, _)| *word == value);
        chosen.map(|(_, choice)| *choice).ok_or_else(|| PropertyError(wrong()).into())
    }

    /// Returns the facts of an engine that does not tell its settings: `names` as it was opened with
    /// them.
    pub fn facts<const N: usize>(&self, version: &str, names: [&str; N]) -> Facts {
        let text = |name: &str| self.values.get(name).cloned().unwrap_or_default();
        let mut facts: Facts = names.map(|name| (name.to_string(), text(name))).into();
        facts.insert("version".to_string(), version.to_string());
        facts
    }
}

/// Keys to read, in order: one, without what a loop over many costs.
pub enum Keys<'k, 'a> {
    One(Option<&'k [u8]>),
    Many(&'a mut dyn Iterator<Item = &'k [u8]>),
}

impl<'k> Iterator for Keys<'k, '_> {
    type Item = &'k [u8];

    fn next(&mut self) -> Option<&'k [u8]> {
        match self {
            Keys::One(key) => key.take(),
            Keys::Many(keys) => keys.next(),
        }
    }
}

/// Writes, one after the other in memory: the length of the key, the key, the length of the value,
/// the value; -1 is the length of a value if its key is to be deleted. Before the length of a value
/// that the engine is to forget stand -2 and the seconds after which.
#[derive(Clone, Copy)]
pub enum Batch<'a> {
    Many(&'a [u8]),
    Put(&'a [u8], &'a [u8]),
    Delete(&'a [u8]),
}

impl<'a> Batch<'a> {
    /// Calls `write` with each key and the value to put, or none to delete the key.
    pub fn each(
        self,
        mut write: impl FnMut(&'a [u8], Option<&'a [u8]>) -> Result<()>,
    ) -> Result<()> {
        self.each_expiring(|key, value, _| write(key, value))
    }

    /// `each` for an engine that forgets records: after the time that comes with a value, if any.
    pub fn each_expiring(
        self,
        mut write: impl FnMut(&'a [u8], Option<&'a [u8]>, Option<Duration>) -> Result<()>,
    ) -> Result<()> {
        match self {
            Batch::Put(key, value) => write(key, Some(value), None),
            Batch::Delete(key) => write(key, None, None),
            Batch::Many(mut rest) => {
                while !rest.is_empty() {
                    let key = part(&mut rest).unwrap_or_default();
                    let mut ttl = None;
                    if length(rest) == EXPIRING {
                        ttl = Some(Duration::from_secs(length(&rest[4..]) as u32 as u64));
                        rest = &rest[8..];
                    }
                    write(key, part(&mut rest), ttl)?;
                }
                Ok(())
            }
        }
    }
}

const EXPIRING: i32 = -2;

fn length(bytes: &[u8]) -> i32 {
    i32::from_ne_bytes(bytes[..4].try_into().expect("four bytes"))
}

fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = length(rest);
    let (part, behind) = rest[4..].split_at(length.max(0) as usize);
    *rest = behind;
    (length >= 0).then_some(part)
}

/// Memory of the caller. What there is no room for is only counted, so that the caller knows how
/// much to ask again with.
pub struct Results<'a> {
    memory: &'a mut [u8],
    length: usize,
}

impl Results<'_> {
    fn raw(&mut self, bytes: &[u8]) {
        if let Some(room) = self.memory.get_mut(self.length..self.length + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }

    fn add(&mut self, bytes: &[u8]) {
        self.raw(&(bytes.len() as i32).to_ne_bytes());
        self.raw(bytes);
    }

    fn add_all(&mut self, texts: Facts) {
        for (name, text) in texts {
            self.add(name.as_bytes());
            self.add(text.as_bytes());
        }
    }

    /// Returns their length as Java takes it.
    fn total(&self) -> Result<i32> {
        let length = self.length;
        let most = i32::MAX;
        let over = || format!("one call returns {length} bytes, which is more than {most}");
        i32::try_from(length).map_err(|_| over().into())
    }
}

const NOT_FOUND: i32 = -1;
const FAILED: i32 = -2;
const REFUSED: i32 = -4;

struct Opened {
    engine: Box<dyn Engine>,
    properties: Properties,
}

static DATABASES: [AtomicPtr<Opened>; 4096] = [const { AtomicPtr::new(null_mut()) }; 4096];
static OPENED: AtomicUsize = AtomicUsize::new(0);

fn opened(handle: i32) -> Result<&'static Opened> {
    let slot = DATABASES.get(handle as usize).ok_or("no such database")?;
    // Java calls nothing after it has closed a database.
    let opened = unsafe { slot.load(Ordering::Acquire).as_ref() };
    opened.ok_or_else(|| "this database is closed".into())
}

fn engine(handle: i32) -> Result<&'static dyn Engine> {
    Ok(opened(handle)?.engine.as_ref())
}

fn bytes<'a>(address: i64, length: i32) -> &'a [u8] {
    if length <= 0 {
        return &[];
    }
    unsafe { slice::from_raw_parts(address as *const u8, length as usize) }
}

/// Returns the length of the results of `work`, or a constant; a panic is an error like others.
fn call(out: i64, capacity: i32, work: impl FnOnce(&mut Results) -> Result<i32>) -> i32 {
    let memory = unsafe { slice::from_raw_parts_mut(out as *mut u8, capacity as usize) };
    let mut results = Results { memory, length: 0 };
    let (result, reason) = match catch_unwind(AssertUnwindSafe(|| work(&mut results))) {
        Ok(Ok(length)) => return length,
        Ok(Err(error)) if error.is::<PropertyError>() => (REFUSED, error.to_string()),
        Ok(Err(error)) => (FAILED, error.to_string()),
        Err(panic) => match panic.downcast_ref::<&str>() {
            Some(text) => (FAILED, format!("panic: {text}")),
            None => (FAILED, "panic".to_string()),
        },
    };
    results.length = 0;
    results.add(&reason.as_bytes()[..reason.len().min(capacity as usize - 4)]);
    result
}

#[doc(hidden)]
pub fn open<E: Engine + 'static>(
    opening: fn(&Properties) -> Result<E>,
    properties: i64,
    length: i32,
    out: i64,
    capacity: i32,
) -> i32 {
    call(out, capacity, |_| {
        let mut values = HashMap::new();
        let mut rest = bytes(properties, length);
        while !rest.is_empty() {
            let mut text =
                || String::from_utf8_lossy(part(&mut rest).unwrap_or_default()).into_owned();
            values.insert(text(), text());
        }
        let properties = Properties::of(values);
        let engine = Box::new(opening(&properties)?);
        properties.require_known()?;
        let handle = OPENED.fetch_add(1, Ordering::Relaxed);
        let slot = DATABASES.get(handle).ok_or("too many databases were opened")?;
        slot.store(Box::into_raw(Box::new(Opened { engine, properties })), Ordering::Release);
        Ok(handle as i32)
    })
}

#[doc(hidden)]
pub fn close(handle: i32, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |_| {
        let slot = DATABASES.get(handle as usize).ok_or("no such database")?;
        let opened = slot.swap(null_mut(), Ordering::AcqRel);
        if !opened.is_null() {
            drop(unsafe { Box::from_raw(opened) });
        }
        Ok(0)
    })
}

#[doc(hidden)]
pub fn get(handle: i32, key: i64, length: i32, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |results| {
        let mut found = false;
        engine(handle)?.read(Keys::One(Some(bytes(key, length))), &mut |value| {
            if let Some(value) = value {
                results.raw(value);
                found = true;
            }
        })?;
        if found {
            results.total()
        } else {
            Ok(NOT_FOUND)
        }
    })
}

#[doc(hidden)]
pub fn write(handle: i32, batch: Batch, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |_| engine(handle)?.write(batch).map(|_| 0))
}

#[doc(hidden)]
pub fn many<'a>(batch: i64, length: i32) -> Batch<'a> {
    Batch::Many(bytes(batch, length))
}

#[doc(hidden)]
pub fn one<'a>(key: i64, key_length: i32, value: Option<(i64, i32)>) -> Batch<'a> {
    let key = bytes(key, key_length);
    match value {
        Some((value, length)) => Batch::Put(key, bytes(value, length)),
        None => Batch::Delete(key),
    }
}

#[doc(hidden)]
pub fn read_all(handle: i32, keys: i64, length: i32, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |results| {
        let mut rest = bytes(keys, length);
        let mut parts =
            std::iter::from_fn(|| (!rest.is_empty()).then(|| part(&mut rest).unwrap_or_default()));
        engine(handle)?.read(Keys::Many(&mut parts), &mut |value| match value {
            Some(value) => results.add(value),
            None => results.raw(&NOT_FOUND.to_ne_bytes()),
        })?;
        results.total()
    })
}

#[doc(hidden)]
pub fn scan(
    handle: i32,
    from: (i64, i32),
    to: (i64, i32),
    limit: i32,
    out: i64,
    capacity: i32,
) -> i32 {
    call(out, capacity, |results| {
        let to_key = (to.1 >= 0).then(|| bytes(to.0, to.1));
        let mut left = limit;
        engine(handle)?.scan(bytes(from.0, from.1), to_key, &mut |key, value| {
            results.add(key);
            results.add(value);
            left -= 1;
            left > 0
        })?;
        results.total()
    })
}

#[doc(hidden)]
pub fn told(handle: i32, reports: bool, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |results| {
        let Opened { engine, properties } = opened(handle)?;
        results.add_all(if reports { engine.reports() } else { engine.facts(properties) });
        results.total()
    })
}

/// No engine has figures over time.
#[doc(hidden)]
pub fn sampled(handle: i32, out: i64, capacity: i32) -> i32 {
    call(out, capacity, |results| {
        opened(handle)?;
        results.total()
    })
}

/// Reads keys in the order of a file on one thread, each as a request does, for some seconds to
/// warm up and for some that count, and prints how many it read per second of each; every key has
/// to be there. It looks at the clock once in a thousand reads.
///
/// `ENGINE_loop KEYS KEY-BYTES WARMUP-SECONDS SECONDS [PROPERTY=VALUE]...`: KEYS is a file of keys,
/// one behind the other, which is read again from its beginning when it is at its end.
#[doc(hidden)]
pub fn read_loop<E: Engine>(opening: fn(&Properties) -> Result<E>) -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments.next().ok_or("usage: KEYS KEY-BYTES WARMUP-SECONDS SECONDS [PROPERTY=VALUE]...")
    };
    let keys = std::fs::read(next()?)?;
    let size = next()?.parse()?;
    let durations: [f64; 2] = [next()?.parse()?, next()?.parse()?];
    let pair = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
    let values = arguments.filter_map(|each| each.split_once('=').map(pair)).collect();
    let engine = opening(&Properties::of(values))?;
    let mut draws = keys.chunks_exact(size).cycle();
    let mut buffer = vec![0; 1 << 20];
    for seconds in durations {
        let begin = Instant::now();
        let (mut reads, mut absent) = (0, 0);
        while begin.elapsed().as_secs_f64() < seconds {
            for key in draws.by_ref().take(1000) {
                engine.read(Keys::One(Some(key)), &mut |value| match value {
                    Some(value) => black_box(&mut buffer)[..value.len()].copy_from_slice(value),
                    None => absent += 1,
                })?;
                reads += 1;
            }
        }
        if absent > 0 {
            return Err(format!("{absent} keys of {reads} are not there").into());
        }
        println!("{:.0} reads/s", reads as f64 / begin.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Exports an engine under the names that the JVM looks for; as a program it is `read_loop`.
macro_rules! export {
    ($open:ident) => {
        #[allow(dead_code)]
        fn main() -> $crate::embedded::Result<()> {
            $crate::embedded::read_loop($open)
        }
        mod exported {
            use std::ffi::c_void;
            type Env = *mut c_void;
            export!(@ open (p: i64, n: i32, o: i64, c: i32) $crate::embedded::open(super::$open, p, n, o, c));
            export!(@ close (h: i32, o: i64, c: i32) $crate::embedded::close(h, o, c));
            export!(@ get (h: i32, k: i64, n: i32, o: i64, c: i32) $crate::embedded::get(h, k, n, o, c));
            export!(@ put (h: i32, k: i64, n: i32, v: i64, m: i32, o: i64, c: i32)
                $crate::embedded::write(h, $crate::embedded::one(k, n, Some((v, m))), o, c));
            export!(@ delete (h: i32, k: i64, n: i32, o: i64, c: i32)
                $crate::embedded::write(h, $crate::embedded::one(k, n, None), o, c));
            export!(@ write (h: i32, b: i64, n: i32, o: i64, c: i32)
                $crate::embedded::write(h, $crate::embedded::many(b, n), o, c));
            export!(@ readAll (h: i32, k: i64, n: i32, o: i64, c: i32)
                $crate::embedded::read_all(h, k, n, o, c));
            export!(@ scan (h: i32, f: i64, n: i32, t: i64, m: i32, l: i32, o: i64, c: i32)
                $crate::embedded::scan(h, (f, n), (t, m), l, o, c));
            export!(@ facts (h: i32, o: i64, c: i32) $crate::embedded::told(h, false, o, c));
            export!(@ reports (h: i32, o: i64, c: i32) $crate::embedded::told(h, true, o, c));
            export!(@ sample (h: i32, o: i64, c: i32) $crate::embedded::sampled(h, o, c));
        }
    };
    (@ $name:ident ($($argument:ident: $type:ty),*) $call:expr) => {
        #[export_name = concat!("Java_kvrank_go_GoLibrary_", stringify!($name))]
        extern "system" fn $name(_env: Env, _class: Env, $($argument: $type),*) -> i32 {
            $call
        }
    };
}
