//! Waiting for a driver that compiles: the watch is asked whether to go on, and the time is limited.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::DeviceError;
use tickless_core::run::Watch;

/// The interval at which the watch is asked.
pub(super) const EVERY: Duration = Duration::from_millis(50);

/// The set-up of a run, which begins when this value is made.
#[doc(hidden)]
pub struct SetUp<'a> {
    watch: &'a mut dyn Watch,
    begun: Instant,
}

impl<'a> SetUp<'a> {
    /// A set-up that the watch may end.
    pub fn new(watch: &'a mut dyn Watch) -> Self {
        Self { watch, begun: Instant::now() }
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`DeviceError::Interrupted`] where the watch says no, [`DeviceError::CompileLimit`] beyond the limit of the adapter.
    pub(super) fn look(&mut self, limit: Duration, adapter: &str) -> Result<(), DeviceError> {
        let elapsed = self.begun.elapsed();
        if self.watch.set_up(elapsed).is_break() {
            return Err(DeviceError::Interrupted);
        }
        if elapsed > limit {
            return Err(DeviceError::CompileLimit { adapter: adapter.to_owned(), seconds: limit.as_secs_f64() });
        }
        Ok(())
    }
}

/// Compiles the sources in parallel, a thread each, while `look` is asked whether to go on. If it says no, the threads are
/// left alone: no driver can be told to stop.
///
/// # Errors
/// The error of `look`, else that of the first refused source; `panicked` where its thread panics.
#[cfg_attr(not(feature = "naga"), allow(dead_code, reason = "devices alone need it"))]
pub(super) fn side_by_side<S, C>(
    sources: Vec<S>,
    compile: impl Fn(&S) -> Result<C, DeviceError> + Send + Sync + 'static,
    panicked: impl Fn(&S) -> DeviceError,
    mut look: impl FnMut() -> Result<(), DeviceError>,
) -> Result<Vec<C>, DeviceError>
where
    S: Send + Sync + 'static,
    C: Send + 'static,
{
    let work = Arc::new((sources, compile));
    let mut compiled: Vec<Option<Result<C, DeviceError>>> = work.0.iter().map(|_| None).collect();
    let (sender, answers) = channel();
    for place in 0..work.0.len() {
        let (own, answer) = (work.clone(), sender.clone());
        let one = move || {
            let (sources, compile) = &*own;
            // No one receives the result once the caller has gone.
            let _ = answer.send((place, compile(&sources[place])));
        };
        if thread::Builder::new().spawn(one).is_err() {
            // Where no thread starts, this one compiles.
            compiled[place] = Some((work.1)(&work.0[place]));
        }
    }
    drop(sender);
    loop {
        match answers.recv_timeout(EVERY) {
            Ok((place, answer)) => compiled[place] = Some(answer),
            Err(RecvTimeoutError::Timeout) => look()?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    look()?;
    let answer = |(answer, source): (Option<_>, &S)| answer.unwrap_or_else(|| Err(panicked(source)));
    compiled.into_iter().zip(&work.0).map(answer).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::COMPILE_LIMIT;

    struct Stops;

    impl Watch for Stops {
        fn look(&mut self, _: &tickless_core::run::Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    fn refused(what: &str) -> DeviceError {
        DeviceError::Lost { reason: what.to_owned() }
    }

    #[test]
    fn what_is_compiled_comes_in_order_and_the_first_fault_counts() {
        let compile = |&source: &u64| match source {
            7 => panic!("on purpose"),
            9 => Err(refused("9")),
            source => {
                thread::sleep(Duration::from_millis(10 - source));
                Ok(10 * source)
            }
        };
        let all = |sources: &[u64]| side_by_side(sources.to_vec(), compile, |_| refused("panic"), || Ok(()));
        assert_eq!(all(&[3, 2, 1]), Ok(vec![30, 20, 10]));
        assert_eq!(all(&[3, 9, 7]), Err(refused("9")));
        assert_eq!(all(&[7, 9]), Err(refused("panic")));
    }

    /// The compiler would go on for an hour.
    #[test]
    fn nobody_waits_for_a_compiler_longer_than_the_watch_or_the_limit_allow() {
        let compile = |mut look: Box<dyn FnMut() -> Result<(), DeviceError>>| {
            let forever = |_: &u32| {
                thread::sleep(Duration::from_secs(3600));
                Ok(())
            };
            side_by_side(vec![1, 2], forever, |_| refused("panic"), &mut *look)
        };
        let stopped = compile(Box::new(|| SetUp::new(&mut Stops).look(COMPILE_LIMIT, "a")));
        assert_eq!(stopped, Err(DeviceError::Interrupted));
        let begun = Instant::now();
        let mut watch = tickless_core::run::unwatched();
        let late = compile(Box::new(move || SetUp { watch: &mut watch, begun }.look(EVERY, "a")));
        let error = late.unwrap_err();
        assert_eq!(error, DeviceError::CompileLimit { adapter: "a".into(), seconds: 0.05 });
        for part in ["within 0.05 s on a", "--compile-limit", "--backend heap"] {
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
