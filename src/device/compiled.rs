//! Results that are computed once for each source, such as compiled kernels.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The place of the result of a source; it is locked while a thread compiles the source.
type Place<C> = Arc<Mutex<Option<C>>>;

/// Compiles each source a single time, also where several threads ask for it at the same time: all but the first wait.
#[derive(Debug)]
pub(super) struct Compiled<S, C> {
    places: Mutex<HashMap<S, Place<C>>>,
    /// The most results that are kept; where one more comes, all are forgotten.
    most: usize,
}

impl<S, C> Default for Compiled<S, C> {
    fn default() -> Self {
        Self::of_most(usize::MAX)
    }
}

impl<S, C> Compiled<S, C> {
    /// Keeps the results of at most `most` sources.
    pub(super) fn of_most(most: usize) -> Self {
        Self { places: Mutex::default(), most }
    }
}

impl<S: Eq + Hash, C: Clone> Compiled<S, C> {
    /// The known result of a source, or the result of `compile`.
    ///
    /// # Errors
    /// The error of `compile`; the next caller tries again.
    pub(super) fn get<E>(&self, source: S, compile: impl FnOnce() -> Result<C, E>) -> Result<C, E> {
        let place = {
            let mut places = lock(&self.places);
            if places.len() >= self.most && !places.contains_key(&source) {
                places.clear();
            }
            places.entry(source).or_default().clone()
        };
        let mut compiled = lock(&place);
        if let Some(known) = &*compiled {
            return Ok(known.clone());
        }
        let new = compile()?;
        *compiled = Some(new.clone());
        Ok(new)
    }
}

/// A panic leaves a place empty, so a poisoned place is used as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::DeviceError;

    #[test]
    fn threads_that_ask_together_wait_for_one() {
        let (compiled, runs) = (Compiled::<_, _>::default(), AtomicU32::new(0));
        let compile = || {
            thread::sleep(Duration::from_millis(20));
            Ok::<_, DeviceError>(runs.fetch_add(1, Ordering::Relaxed))
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
        let compiled = Compiled::<_, _>::default();
        let lost = DeviceError::Lost { reason: "on purpose".into() };
        assert_eq!(compiled.get("one", || Err(lost.clone())), Err(lost));
        thread::scope(|scope| {
            let panics = scope.spawn(|| compiled.get("one", || -> Result<i32, DeviceError> { panic!("on purpose") }));
            assert!(panics.join().is_err());
        });
        assert_eq!(compiled.get("one", || Ok::<_, DeviceError>(7)), Ok(7));
    }

    #[test]
    fn of_many_sources_all_are_forgotten() {
        let compiled = Compiled::of_most(2);
        let get = |source: u32, made: u32| compiled.get(source, || Ok::<_, DeviceError>(made));
        assert_eq!([get(1, 10), get(2, 20), get(1, 11)], [Ok(10), Ok(20), Ok(10)]);
        assert_eq!([get(3, 30), get(1, 11), get(3, 31)], [Ok(30), Ok(11), Ok(30)]);
    }
}
