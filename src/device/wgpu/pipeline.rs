//! Kernels to pipelines, each compiled once a device.

use std::sync::Arc;

use super::{WgpuDevice, api, spirv};
use crate::compiled::Compiled;
use crate::set_up::side_by_side;
use crate::{DeviceError, Kernel, SetUp};

/// Compiled kernels by their source.
pub(super) type Pipelines = Arc<Compiled<String, Pipeline>>;

/// A compiled kernel.
#[derive(Clone, Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: api::ComputePipeline,
    pub(super) layout: api::BindGroupLayout,
}

impl WgpuDevice {
    /// Compiles the kernels in parallel: a driver takes tens of milliseconds for each.
    pub(super) fn compile_all(&self, kernels: &[Kernel], set_up: &mut SetUp<'_>) -> Result<Vec<Pipeline>, DeviceError> {
        let device = self.clone();
        let panicked = |kernel: &Kernel| refused(kernel, "the compiler panicked".into());
        side_by_side(kernels.to_vec(), move |kernel| device.pipeline(kernel), panicked, || self.look(set_up))
    }

    fn pipeline(&self, kernel: &Kernel) -> Result<Pipeline, DeviceError> {
        self.pipelines.get(kernel.source.clone(), || self.compile(kernel))
    }

    fn compile(&self, kernel: &Kernel) -> Result<Pipeline, DeviceError> {
        let label = Some(kernel.label.as_str());
        let scope = self.device.push_error_scope(api::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(api::ErrorFilter::Internal);
        let module = self.module(kernel)?;
        let layout = self.layout(kernel);
        let pipeline_layout = self.device.create_pipeline_layout(&api::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            ..Default::default()
        });
        let pipeline = self.device.create_compute_pipeline(&api::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            // Every kernel writes its workgroup memory before it reads it.
            compilation_options: api::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: self.options.checked,
                ..Default::default()
            },
            cache: None,
        });
        let error = pollster::block_on(internal.pop()).or(pollster::block_on(scope.pop()));
        error.map_or(Ok(Pipeline { pipeline, layout }), |e| Err(refused(kernel, e.to_string())))
    }

    /// Without wgpu's runtime checks unless they are asked for; for Vulkan with the words of [`spirv`].
    #[allow(unsafe_code)]
    fn module(&self, kernel: &Kernel) -> Result<api::ShaderModule, DeviceError> {
        let label = Some(kernel.label.as_str());
        let source = api::ShaderSource::Wgsl(kernel.source.as_str().into());
        let descriptor = api::ShaderModuleDescriptor { label, source };
        if self.options.checked {
            return Ok(self.device.create_shader_module(descriptor));
        }
        if !self.takes_spirv() {
            // SAFETY: the kernels are this crate's own. Their indexes come from ids below the sizes that the buffers were
            // made with, and their loops end; tests/conformance.rs runs them under every check and finds the same digests.
            return Ok(unsafe {
                self.device.create_shader_module_trusted(descriptor, api::ShaderRuntimeChecks::unchecked())
            });
        }
        let main = api::PassthroughShaderEntryPoint { name: "main".into(), workgroup_size: (kernel.workgroup, 1, 1) };
        let descriptor = api::ShaderModuleDescriptorPassthrough {
            label,
            entry_points: vec![main].into(),
            spirv: Some(spirv::words(kernel).map_err(|message| refused(kernel, message))?.into()),
            ..Default::default()
        };
        // SAFETY: naga wrote the words from a kernel that it found valid, for the version that the device takes, and only
        // the scopes of barriers are changed; for the rest see above.
        Ok(unsafe { self.device.create_shader_module_passthrough(descriptor) })
    }

    /// Whether modules are passed on as SPIR-V: to Vulkan 1.1, which subgroups need.
    fn takes_spirv(&self) -> bool {
        let needed = api::Features::PASSTHROUGH_SHADERS | api::Features::SUBGROUP;
        self.description.backend == "vulkan" && self.device.features().contains(needed)
    }

    fn layout(&self, kernel: &Kernel) -> api::BindGroupLayout {
        let entries: Vec<_> = kernel
            .bindings
            .iter()
            .map(|binding| api::BindGroupLayoutEntry {
                binding: binding.number,
                visibility: api::ShaderStages::COMPUTE,
                ty: api::BindingType::Buffer {
                    ty: if binding.storage {
                        api::BufferBindingType::Storage { read_only: binding.read_only }
                    } else {
                        api::BufferBindingType::Uniform
                    },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let label = Some(kernel.label.as_str());
        self.device.create_bind_group_layout(&api::BindGroupLayoutDescriptor { label, entries: &entries })
    }
}

fn refused(kernel: &Kernel, message: String) -> DeviceError {
    DeviceError::Refused { kernel: kernel.label.clone(), message }
}
