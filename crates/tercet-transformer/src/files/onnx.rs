//! The weights inside an ONNX file.
//!
//! An exported model keeps the names of its tensors, except for the weights of linear layers, which exporters transpose
//! and rename (`onnx::MatMul_1525`). These are found by the graph: the product with such a tensor goes into an addition
//! of `….bias`, so its transpose is `….weight`.

use super::{Tensor, Tensors, unusable};
use foldhash::HashMap;
use std::path::Path;
use tercet_base::protobuf::{Broken, Fields, Value};
use tercet_model::Result;

// Field numbers of onnx.proto.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_INITIALIZER: u64 = 5;
const NODE_INPUT: u64 = 1;
const NODE_OUTPUT: u64 = 2;
const NODE_KIND: u64 = 4;
const TENSOR_DIMENSIONS: u64 = 1;
const TENSOR_TYPE: u64 = 2;
const TENSOR_FLOATS: u64 = 4;
const TENSOR_NAME: u64 = 8;
const TENSOR_RAW: u64 = 9;
const TENSOR_LOCATION: u64 = 14;
const FLOAT: u64 = 1;

#[derive(Default)]
struct Node {
    kind: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// All tensors of floats under the names that they have in PyTorch. `path` is for messages.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Tensors> {
    let bad = |what: Broken| unusable(path, format!("not a whole ONNX file: {what} (copy it again)"));
    let mut tensors = Tensors::default();
    let mut nodes = Vec::new();
    let mut model = Fields(bytes);
    while let Some((field, value)) = model.next().map_err(bad)? {
        if let (MODEL_GRAPH, Value::Bytes(graph)) = (field, value) {
            read_graph(graph, &mut tensors, &mut nodes).map_err(bad)?;
        }
    }
    if tensors.is_empty() {
        return Err(unusable(path, "no weights in it: not an ONNX file, or its weights are in another file"));
    }
    name_linear_weights(&mut tensors, &nodes);
    Ok(tensors)
}

fn read_graph(bytes: &[u8], tensors: &mut Tensors, nodes: &mut Vec<Node>) -> Result<(), Broken> {
    let mut graph = Fields(bytes);
    while let Some((field, value)) = graph.next()? {
        match (field, value) {
            (GRAPH_NODE, Value::Bytes(node)) => nodes.push(read_node(node)?),
            (GRAPH_INITIALIZER, Value::Bytes(tensor)) => {
                if let Some((name, tensor)) = read_tensor(tensor)? {
                    tensors.insert(name, tensor);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_node(bytes: &[u8]) -> Result<Node, Broken> {
    let mut node = Node::default();
    let mut fields = Fields(bytes);
    while let Some((field, value)) = fields.next()? {
        if let Value::Bytes(bytes) = value {
            match field {
                NODE_INPUT => node.inputs.push(text(bytes)),
                NODE_OUTPUT => node.outputs.push(text(bytes)),
                NODE_KIND => node.kind = text(bytes),
                _ => {}
            }
        }
    }
    Ok(node)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Name and tensor; `None` if its numbers are no floats of 32 bits.
fn read_tensor(bytes: &[u8]) -> Result<Option<(String, Tensor)>, Broken> {
    let (mut name, mut shape, mut kind, mut raw) = (String::new(), Vec::new(), 0, &[][..]);
    let mut fields = Fields(bytes);
    while let Some((field, value)) = fields.next()? {
        match (field, value) {
            (TENSOR_DIMENSIONS, Value::Number(size)) => shape.push(size as usize),
            (TENSOR_DIMENSIONS, Value::Bytes(packed)) => {
                let mut packed = Fields(packed);
                while !packed.0.is_empty() {
                    shape.push(packed.number()? as usize);
                }
            }
            (TENSOR_TYPE, Value::Number(found)) => kind = found,
            (TENSOR_NAME, Value::Bytes(found)) => name = text(found),
            // Packed floats and raw bytes are the same: four bytes each, the lowest first.
            (TENSOR_RAW | TENSOR_FLOATS, Value::Bytes(found)) => raw = found,
            (TENSOR_LOCATION, Value::Number(1)) => return Err("its weights are in another file"),
            _ => {}
        }
    }
    if kind != FLOAT {
        return Ok(None);
    }
    let expected = shape.iter().try_fold(4usize, |product, size| product.checked_mul(*size));
    if expected != Some(raw.len()) {
        return Err("a tensor has another number of values than its shape says");
    }
    let values = raw.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
    Ok(Some((name, Tensor { shape, values })))
}

/// Adds the weights of linear layers under the names of their biases.
fn name_linear_weights(tensors: &mut Tensors, nodes: &[Node]) {
    let products: HashMap<&str, &str> = nodes
        .iter()
        .filter(|node| node.kind == "MatMul")
        .filter_map(|node| Some((node.outputs.first()?.as_str(), node.inputs.get(1)?.as_str())))
        .collect();
    for node in nodes.iter().filter(|node| node.kind == "Add") {
        let bias = node.inputs.iter().find_map(|input| input.strip_suffix(".bias"));
        let weights = node.inputs.iter().find_map(|input| products.get(input.as_str()));
        let (Some(layer), Some(weights)) = (bias, weights) else { continue };
        if let Some(tensor) = tensors.get(*weights).filter(|tensor| tensor.shape.len() == 2) {
            let transposed = tensor.transposed();
            tensors.insert(format!("{layer}.weight"), transposed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field with a length, as protobuf writes it.
    fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
        assert!(bytes.len() < 128);
        [&[(number << 3 | 2) as u8, bytes.len() as u8], bytes].concat()
    }

    fn node(kind: &str, inputs: [&str; 2], output: &str) -> Vec<u8> {
        let inputs = inputs.map(|input| field(NODE_INPUT, input.as_bytes())).concat();
        field(GRAPH_NODE, &[inputs, field(NODE_OUTPUT, output.as_bytes()), field(NODE_KIND, kind.as_bytes())].concat())
    }

    fn tensor(name: &str, shape: &[u8], values: &[f32]) -> Vec<u8> {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let kind = [(TENSOR_TYPE << 3) as u8, FLOAT as u8];
        let parts = [field(1, shape), kind.to_vec(), field(TENSOR_NAME, name.as_bytes()), field(TENSOR_RAW, &raw)];
        field(GRAPH_INITIALIZER, &parts.concat())
    }

    fn model() -> Vec<u8> {
        let graph = [
            node("MatMul", ["x", "onnx::MatMul_7"], "y"),
            node("Add", ["dense.bias", "y"], "z"),
            tensor("onnx::MatMul_7", &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            tensor("dense.bias", &[3], &[0.5, 0.0, -1.0]),
        ];
        // The graph is longer than 127 bytes, so its length takes two.
        let graph = graph.concat();
        let head = [(MODEL_GRAPH << 3 | 2) as u8, (graph.len() & 127 | 128) as u8, (graph.len() >> 7) as u8];
        [&head[..], &graph].concat()
    }

    #[test]
    fn weights_of_products_have_the_names_of_their_biases() {
        let tensors = parse(Path::new("model.onnx"), &model()).unwrap();
        let expected = Tensor { shape: vec![3, 2], values: vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0] };
        assert_eq!(tensors["dense.weight"], expected);
        assert_eq!(tensors["dense.bias"].values, [0.5, 0.0, -1.0]);
    }

    #[test]
    fn a_weight_without_columns_is_read() {
        let graph = [
            node("MatMul", ["x", "onnx::MatMul_7"], "y"),
            node("Add", ["dense.bias", "y"], "z"),
            tensor("onnx::MatMul_7", &[3, 0], &[]),
        ];
        let tensors = parse(Path::new("model.onnx"), &field(MODEL_GRAPH, &graph.concat())).unwrap();
        assert_eq!(tensors["dense.weight"], Tensor { shape: vec![0, 3], values: vec![] });
    }

    #[test]
    fn a_file_that_ends_early_is_an_error_at_every_length() {
        let whole = model();
        for length in 0..whole.len() {
            let error = parse(Path::new("model.onnx"), &whole[..length]).unwrap_err().to_string();
            assert!(error.starts_with("model.onnx: no"), "{error}");
        }
        let error = parse(Path::new("model.onnx"), &[0xff; 20]).unwrap_err().to_string();
        assert!(error.contains("a number has more than 64 bits"), "{error}");
    }
}
