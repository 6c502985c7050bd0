//! The parameters of naga's entry point, and the CUDA kernel that calls it with them.

use std::fmt::Write as _;

use crate::{Dispatch, Kernel};

/// The slot from which naga's text reads the sizes of buffers, if it does.
pub(super) const SIZES_SLOT: u8 = u8::MAX;

/// The parameters of a kernel on several GPUs beside its bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Several {
    /// The place of the binding with a copy on each GPU that the kernel writes.
    #[doc(hidden)]
    pub told: Option<usize>,
    /// The place of the binding that is the status of the program. The status lies with the first GPU, and all workgroups
    /// read it.
    #[doc(hidden)]
    pub status: Option<usize>,
}

/// The meaning of each argument of naga's entry point, in order.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    arguments: Vec<String>,
    /// Types and names of the workgroup variables.
    shared: Vec<(String, String)>,
    /// For each binding, whether no kernel writes the buffer: it may then be read early, and be kept in registers.
    constant: Vec<bool>,
    /// For each binding the type of its record, where that is passed in place of a pointer.
    passed: Vec<Option<String>>,
    /// Places of the bindings whose sizes are passed, and their fields in naga's record of sizes.
    lengths: Vec<(usize, String)>,
    sizes: bool,
}

impl Parameters {
    /// Reads naga's list: a line a parameter, with its attribute.
    ///
    /// # Errors
    /// The name of a feature without a translation.
    pub(super) fn read(
        list: &str,
        kernel: &Kernel,
        (constant, passed): (Vec<bool>, &[(usize, u32)]),
        lengths: &[(usize, String)],
    ) -> Result<Self, String> {
        let passed = (0..constant.len()).map(|place| passed.iter().any(|(other, _)| *other == place).then(String::new));
        let passed = passed.collect();
        let mut parameters = Self { constant, passed, lengths: lengths.to_vec(), ..Default::default() };
        for line in list.lines().map(|line| line.trim_start_matches([',', ' '])).filter(|line| !line.is_empty()) {
            let (declaration, attribute) = match line.split_once(" [[") {
                Some((declaration, attribute)) => (declaration, attribute.trim_end_matches(']')),
                None => (line, ""),
            };
            parameters.add(declaration, attribute, kernel)?;
        }
        Ok(parameters)
    }

    fn add(&mut self, declaration: &str, attribute: &str, kernel: &Kernel) -> Result<(), String> {
        let (kind, name) = declaration.rsplit_once(' ').ok_or_else(|| format!("no name in '{declaration}'"))?;
        let slot = attribute.strip_prefix("buffer(").and_then(|rest| rest.trim_end_matches(')').parse::<u32>().ok());
        self.arguments.push(if let Some(shared) = kind.strip_prefix("TICKLESS_SHARED ") {
            self.shared.push((shared.trim_end_matches('&').to_owned(), name.to_owned()));
            format!("__s_{name}")
        } else if slot == Some(SIZES_SLOT.into()) {
            self.sizes = true;
            "__sizes".into()
        } else if let Some(slot) = slot {
            let place = kernel.bindings.iter().position(|b| b.number == slot);
            let place = place.ok_or_else(|| format!("naga wrote an unknown binding {slot}"))?;
            let kind = kind.trim_start().trim_start_matches("const ").trim_end_matches('&').trim_end();
            let kind = kind.trim_end_matches(" const");
            match &mut self.passed[place] {
                Some(record) => {
                    kind.clone_into(record);
                    format!("__b{place}")
                }
                None => format!("*({kind}*)__b{place}"),
            }
        } else {
            built_in(attribute, kernel.workgroup)?
        });
        Ok(())
    }

    /// naga's name for the type of a binding.
    pub(super) fn type_of(&self, place: usize) -> Option<&str> {
        let end = format!("*)__b{place}");
        let argument = self.arguments.iter().find(|argument| argument.ends_with(&end))?;
        argument.strip_prefix("*(")?.strip_suffix(&end)
    }

    /// The kernel's text; its names begin with two underscores, as no name of the WGSL does: a pointer or a record for each binding, in the
    /// order of their numbers, then the sizes. On several GPUs these are followed by the number of the first workgroup and the
    /// number of workgroups on this GPU, and for the words sent to others by the addresses of the copies, their number and their
    /// size.
    pub(super) fn kernel(&self, entry: &str, kernel: &Kernel, several: Option<Several>) -> String {
        let Kernel { workgroup, resident_threads, .. } = *kernel;
        let binding = |(place, constant): (usize, &bool)| match (&self.passed[place], constant) {
            (Some(record), _) => format!("TICKLESS_PASSED {record} __b{place}"),
            (None, true) => format!("const void* __restrict__ __b{place}"),
            (None, false) => format!("void* __b{place}"),
        };
        let mut parameters: Vec<String> = self.constant.iter().enumerate().map(binding).collect();
        parameters.extend(self.lengths.iter().map(|(place, _)| format!("unsigned __n{place}")));
        if several.is_some() {
            parameters.extend(["unsigned __first", "unsigned __count"].map(String::from));
        }
        let told = several.and_then(|several| several.told);
        if told.is_some() {
            let numbers = ["__gpus", "__row", "__rows"].map(|name| format!("unsigned {name}"));
            parameters.push("const unsigned long long* __copies".into());
            parameters.extend(numbers);
        }
        let least =
            if resident_threads > workgroup { format!(", {}", resident_threads / workgroup) } else { String::new() };
        let mut text = format!(
            "#line 1 \"wrapper\"\nextern \"C\" __global__ void __launch_bounds__({workgroup}{least}) {entry}({}) {{\n    \
             TICKLESS_BEGIN;\n",
            parameters.join(", ")
        );
        let fold = Dispatch::FOLD;
        text.push_str(&match several {
            None => "    const metal::uint3 __group(blockIdx.x, blockIdx.y, blockIdx.z);\n".to_owned(),
            Some(_) => format!(
                "    const unsigned __own = blockIdx.y * {fold}u + blockIdx.x;\n    if (__own >= __count) return;\n    \
                 const unsigned __number = __first + __own;\n    \
                 const metal::uint3 __group(__number % {fold}u, __number / {fold}u, 0u);\n"
            ),
        });
        if let Some(place) = several.and_then(|several| several.status) {
            let kind = self.type_of(place).unwrap_or("char");
            let _ = writeln!(text, "    tickless_read_status<sizeof({kind})>(__first, __b{place});");
        }
        for (kind, name) in &self.shared {
            let _ = writeln!(text, "    __shared__ {kind} __s_{name};");
        }
        if self.sizes {
            // One word for each buffer with an array at its end; where no length is asked for, they stay 0.
            text.push_str("    _mslBufferSizes __sizes = {};\n");
        }
        for (place, field) in &self.lengths {
            let _ = writeln!(text, "    __sizes.{field} = __n{place};");
        }
        let _ = writeln!(text, "    main_({});", self.arguments.join(", "));
        if let Some(place) = told {
            let _ = writeln!(text, "    tickless_tell(__number, __b{place}, __copies, __gpus, __row, __rows);");
        }
        text.push_str("}\n");
        text
    }
}

/// A WGSL built-in value by the attribute that naga gives it. Workgroups are lines of threads.
fn built_in(attribute: &str, workgroup: u32) -> Result<String, String> {
    Ok(match attribute {
        "threadgroup_position_in_grid" => "__group".into(),
        "threadgroups_per_grid" => "metal::uint3(gridDim.x, gridDim.y, gridDim.z)".into(),
        "thread_index_in_threadgroup" => "threadIdx.x".into(),
        "thread_position_in_threadgroup" => "metal::uint3(threadIdx.x, 0u, 0u)".into(),
        "thread_position_in_grid" => format!("metal::uint3(__group.x * {workgroup}u + threadIdx.x, __group.y, 0u)"),
        "simdgroup_index_in_threadgroup" => "threadIdx.x / 32u".into(),
        "thread_index_in_simdgroup" => "threadIdx.x % 32u".into(),
        "threads_per_simdgroup" => "32u".into(),
        "simdgroups_per_threadgroup" => format!("{}u", workgroup.div_ceil(32)),
        other => return Err(format!("the built-in value '{other}' is not translated to CUDA")),
    })
}
