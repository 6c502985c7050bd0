//! What a device has compiled, by its source.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::DeviceError;

/// A place for what comes of a source; it is locked while somebody compiles that.
type Place<C> = Arc<Mutex<Option<C>>>;

/// Each source is compiled a single time, also where several threads ask for it at the same time: all but the first wait.
#[derive(Debug)]
pub(super) struct Compiled<C>(Mutex<HashMap<String, Place<C>>>);

impl<C> Default for Compiled<C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<C: Clone> Compiled<C> {
    /// What there is of a source, or what `compile` makes of it.
    ///
    /// # Errors
    /// What `compile` returns; who asks next tries again.
    pub(super) fn get(&self, source: &str, compile: impl FnOnce() -> Result<C, DeviceError>) -> Result<C, DeviceError> {
        let place = lock(&self.0).entry(source.to_owned()).or_default().clone();
        let mut compiled = lock(&place);
        if let Some(known) = &*compiled {
            return Ok(known.clone());
        }
        let new = compile()?;
        *compiled = Some(new.clone());
        Ok(new)
    }
}

/// A panic leaves a place empty, so that one that it has poisoned is used as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn threads_that_ask_together_wait_for_one() {
        let (compiled, runs) = (Compiled::default(), AtomicU32::new(0));
        let compile = || {
            thread::sleep(Duration::from_millis(20));
            Ok(runs.fetch_add(1, Ordering::Relaxed))
        };
        thread::scope(|scope| {
            let all = [(); 8].map(|()| scope.spawn(|| compiled.get("one", compile)));
            assert!(all.into_iter().all(|thread| thread.join().unwrap() == Ok(0)));
        });
        assert_eq!(compiled.get("another", compile), Ok(1));
        assert_eq!((compiled.get("one", compile), runs.into_inner()), (Ok(0), 2));
    }

    #[test]
    fn who_asks_behind_an_error_or_a_panic_tries_again() {
        let compiled = Compiled::default();
        let lost = DeviceError::Lost { reason: "on purpose".into() };
        assert_eq!(compiled.get("one", || Err(lost.clone())), Err(lost));
        thread::scope(|scope| {
            let panics = scope.spawn(|| compiled.get("one", || panic!("on purpose")));
            assert!(panics.join().is_err());
        });
        assert_eq!(compiled.get("one", || Ok(7)), Ok(7));
    }
}
