//! Kernels to pipelines, each compiled once a device.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

use super::{WgpuDevice, api};
use crate::device::{DeviceError, Kernel};

/// Compiled kernels by their source.
pub(super) type Pipelines = Arc<Mutex<HashMap<String, Pipeline>>>;

/// A compiled kernel.
#[derive(Clone, Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: api::ComputePipeline,
    pub(super) layout: api::BindGroupLayout,
}

impl WgpuDevice {
    /// Compiles the kernels side by side: a driver takes tens of milliseconds for each.
    pub(super) fn compile_all(&self, kernels: &[Kernel]) -> Result<Vec<Pipeline>, DeviceError> {
        thread::scope(|scope| {
            let threads: Vec<_> = kernels
                .iter()
                .map(|kernel| thread::Builder::new().spawn_scoped(scope, || self.pipeline(kernel)).ok())
                .collect();
            threads
                .into_iter()
                .zip(kernels)
                // Where no thread starts, this one compiles.
                .map(|(thread, kernel)| {
                    match thread.map_or_else(|| Ok(self.pipeline(kernel)), |thread| thread.join()) {
                        Ok(pipeline) => pipeline,
                        Err(_) => Err(refused(kernel, "the compiler panicked".into())),
                    }
                })
                .collect()
        })
    }

    fn pipeline(&self, kernel: &Kernel) -> Result<Pipeline, DeviceError> {
        let known = self.pipelines.lock().ok().and_then(|known| known.get(&kernel.source).cloned());
        if let Some(pipeline) = known {
            return Ok(pipeline);
        }
        let pipeline = self.compile(kernel)?;
        if let Ok(mut known) = self.pipelines.lock() {
            known.insert(kernel.source.clone(), pipeline.clone());
        }
        Ok(pipeline)
    }

    fn compile(&self, kernel: &Kernel) -> Result<Pipeline, DeviceError> {
        let label = Some(kernel.label.as_str());
        let scope = self.device.push_error_scope(api::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(api::ErrorFilter::Internal);
        let module = self.module(kernel);
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

    /// Without wgpu's runtime checks unless they are asked for.
    #[allow(unsafe_code)]
    fn module(&self, kernel: &Kernel) -> api::ShaderModule {
        let source = api::ShaderSource::Wgsl(kernel.source.as_str().into());
        let descriptor = api::ShaderModuleDescriptor { label: Some(&kernel.label), source };
        if self.options.checked {
            return self.device.create_shader_module(descriptor);
        }
        // SAFETY: the kernels are this crate's own. Their indexes come from ids below the sizes that the buffers were
        // made with, and their loops end; tests/conformance.rs runs them under every check and finds the same digests.
        unsafe { self.device.create_shader_module_trusted(descriptor, api::ShaderRuntimeChecks::unchecked()) }
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
    DeviceError::Kernel { kernel: kernel.label.clone(), message }
}
