//! A kernel that loops without end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tickless::device::{BufferSpec, BufferUse, Device, DeviceError, OpenOptions, Selection};
use tickless::kernels::Source;
use tickless::processes::ProcessError;
use tickless::processes::gpu::{self, DeviceModel};
use tickless::run::unwatched;

use crate::adapter;
use crate::own::Crowd;

/// Process 7 waits for a word that nobody writes.
const ENDLESS: &str = "
import package::lib::pcg32::{Stream};
import package::processes::records::{process};
import package::processes::send::{plan};
import events::{Event};
import word64::{wide};

var<storage, read_write> waiting: array<u32>;

fn start(id: u32, stream: ptr<function, Stream>) { plan(wide(0u, 1u), vec4<u32>()); }

fn execute(event: Event, stream: ptr<function, Stream>) {
    while (process.id == 7u && waiting[0] != 8u) { waiting[1] = waiting[1] + 3u; }
}";

/// Set in the process whose device never comes back.
const INSIDE: &str = "TICKLESS_TEST_ENDLESS";

fn ends(device: &dyn Device) {
    let buffers = vec![BufferSpec::filled("waiting", BufferUse::Storage, vec![0; 8])];
    let model = DeviceModel { source: Source::own("endless.wgsl", ENDLESS), buffers, ..(&Crowd).into() };
    let run = || match gpu::run(&model, device, Default::default(), &mut unwatched()) {
        Err(ProcessError::Device(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it ended"),
    };
    let first = run();
    assert!(matches!(first, DeviceError::BatchLimit { seconds: 1.0, .. }), "{first}");
    // The driver would wait for the first run.
    let (begun, second) = (Instant::now(), run());
    assert!(matches!(second, DeviceError::AtWork { .. }) && begun.elapsed() < Duration::from_secs(1), "{second}");
}

fn opened(backend: &str) -> Option<Box<dyn Device>> {
    let options = OpenOptions { batch_limit: Duration::from_secs(1), ..OpenOptions::default() };
    match backend {
        #[cfg(feature = "cuda")]
        "cuda" => match tickless::device::cuda::CudaDevice::open(&Selection::Auto, options) {
            Ok(device) => Some(Box::new(device)),
            Err(DeviceError::NoDriver { .. }) => None,
            Err(error) => panic!("{error}"),
        },
        "wgpu" => adapter::open(options).map(|device| Box::new(device) as Box<dyn Device>),
        _ => None,
    }
}

/// It ends with an error in time, and so does the process: in one of its own, for its device is lost.
#[test]
fn a_kernel_without_end_is_an_error() {
    if let Ok(backend) = std::env::var(INSIDE) {
        opened(&backend).iter().for_each(|device| ends(device.as_ref()));
        tickless::cli::leave(77);
    }
    for backend in ["wgpu", "cuda"] {
        let mut inside = Command::new(std::env::current_exe().expect("its own path"))
            .args(["--exact", "endless::a_kernel_without_end_is_an_error", "--nocapture"])
            .env(INSIDE, backend)
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        let begun = Instant::now();
        let status = loop {
            match inside.try_wait().expect("its state") {
                Some(status) => break status,
                None if begun.elapsed() > Duration::from_secs(60) => {
                    inside.kill().expect("its end");
                    panic!("{backend}: it hangs");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(status.code(), Some(77), "{backend}");
    }
}
