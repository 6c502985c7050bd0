//! The surroundings of cell spaces: ports of the model, generators, queues, and links to cells and between spaces.

use std::collections::HashMap;

use super::cell_space::{cell_of, find, needed};
use super::error::{Fault, RuleError};
use super::generator::Generator;
use super::layers::AXES;
use super::queue::{self, Entrance, MOST_QUEUES, Queue};
use super::remarks;
use super::source::{Place, SourceLine, Sources};
use super::statements::{Section, Statement};

/// The port of a generator or a queue.
const OUT: &str = "out";

/// The components of the model, and the origins of values that come into its spaces.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupling {
    /// The names of the spaces, in small letters, and where they are named.
    pub spaces: Vec<(String, Place)>,
    pub generators: Vec<Generator>,
    pub queues: Vec<Queue>,
    programs: Vec<Program>,
    /// The input ports of the model, in small letters.
    pub ports: Vec<String>,
    /// Ports of spaces that lead to other components.
    pub bindings: Vec<PortBinding>,
    /// The origins that lead to a port of a space.
    pub leads: Vec<(Origin, usize, String)>,
    /// Remarks about parts without effect.
    pub remarks: Vec<String>,
    /// The components that are neither spaces nor programs, by their names.
    others: HashMap<String, Origin>,
}

/// A component whose behaviour is a program.
#[derive(Clone, Debug)]
struct Program {
    name: String,
    kind: String,
    place: Place,
    /// The spaces and the queues to which it sends.
    to: Vec<Node>,
}

/// A component that receives from others and sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    /// A space by its number.
    Space(usize),
    /// A queue by its number.
    Queue(usize),
}

/// A port of a space that leads to another component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PortBinding {
    /// The number of the space.
    pub space: usize,
    /// In small letters.
    pub port: String,
}

/// The origin of a value that comes into a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A generator by its number.
    Generator(usize),
    /// An input port of the model by its number.
    Port(usize),
    /// Another space, by the number of the port binding.
    Space(usize),
    /// A queue by its number.
    Queue(usize),
}

/// A port by which values come into a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inlet {
    /// The name of the port, in small letters.
    pub port: String,
    /// Row, column, plane and layer.
    pub cell: [u32; AXES],
    /// The origins of its values, in the order of the links.
    pub origins: Vec<Origin>,
    /// The section of its rules, in small letters, and where it is named. Without a section the cell takes the value.
    pub rules: Option<(String, Place)>,
}

/// A port by which values of a cell leave its space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outlet {
    /// The port of the cell, in small letters, and where it is named.
    pub port: String,
    pub place: Place,
    /// Row, column, plane and layer.
    pub cell: [u32; AXES],
    /// The port of the space, in small letters.
    pub to: String,
}

/// The inlets and the outlets of a space.
#[derive(Clone, Debug, Default)]
pub(super) struct Inlets {
    pub all: Vec<Inlet>,
    pub outlets: Vec<Outlet>,
}

/// An end of a link: a port, and its owner if that is given.
pub(super) struct End {
    pub port: String,
    /// The name of the owner and, for a cell, its coordinates, in small letters.
    pub owner: Option<String>,
    place: Place,
}

/// The words of all statements with a key.
fn words<'a>(section: &'a Section, key: &'a str) -> impl Iterator<Item = SourceLine> + 'a {
    section.statements.iter().filter(move |s| s.key == key).flat_map(Statement::words)
}

/// The links of a section.
pub(super) fn links(sources: &Sources, section: &Section) -> Result<Vec<[End; 2]>, RuleError> {
    let end = |word: &SourceLine| {
        let text = word.text.to_ascii_lowercase();
        let (port, owner) = text.split_once('@').map_or((text.as_str(), None), |(port, owner)| (port, Some(owner)));
        End { port: port.to_owned(), owner: owner.map(str::to_owned), place: word.place }
    };
    let words: Vec<_> = words(section, "link").collect();
    let pair = |pair: &[SourceLine]| match pair {
        [from, to] => Ok([end(from), end(to)]),
        _ => {
            let expected = "the port that a link leads to, as in 'link : PORT PORT@SPACE'".into();
            let place = pair.first().map_or(section.place, |word| word.place);
            Err(sources.fail(place, Fault::Syntax { found: "the end".into(), expected }))
        }
    };
    words.chunks(2).map(pair).collect()
}

impl Coupling {
    /// Reads the section `[top]`.
    pub fn new(sources: &Sources, top: &Section, sections: &[Section]) -> Result<Self, RuleError> {
        needed(sources, top, "components", "components : life")?;
        let mut found =
            Self { ports: words(top, "in").map(|word| word.text.to_ascii_lowercase()).collect(), ..Self::default() };
        for word in words(top, "components") {
            let text = word.text.to_ascii_lowercase();
            match text.split_once('@') {
                Some((name, "generator")) => {
                    let section = sections.iter().find(|section| section.name == name);
                    section.map_or(Ok(()), |section| section.check(sources))?;
                    found.others.entry(name.to_owned()).or_insert(Origin::Generator(found.generators.len()));
                    let generator = Generator::new(sources, name, section, word.place)?;
                    let keys = section.map(|section| remarks::of_keys(section, "generator", generator.keys()));
                    found.generators.push(generator);
                    found.remarks.extend(keys.into_iter().flatten());
                }
                Some((name, "queue")) => {
                    let section = sections.iter().find(|section| section.name == name);
                    section.map_or(Ok(()), |section| section.check(sources))?;
                    found.others.entry(name.to_owned()).or_insert(Origin::Queue(found.queues.len()));
                    found.queues.push(Queue::new(sources, name, section, word.place)?);
                    let keys = section.map(|section| remarks::of_keys(section, "queue", ("a queue", &queue::KEYS)));
                    found.remarks.extend(keys.into_iter().flatten());
                    if found.queues.len() > MOST_QUEUES {
                        let fault = Fault::Many { what: "queues".into(), most: MOST_QUEUES };
                        return Err(sources.fail(word.place, fault));
                    }
                }
                Some((name, kind)) => {
                    let (name, kind) = (name.to_owned(), kind.to_owned());
                    found.programs.push(Program { name, kind, place: word.place, to: vec![] });
                }
                None => found.spaces.push((text, word.place)),
            }
        }
        if found.spaces.is_empty() {
            let place = find(top, "components").map_or(top.place, |statement| statement.text().1);
            let (what, value) =
                ("the list of components".into(), find(top, "components").map_or(String::new(), |s| s.text().0));
            let allowed = "the name of a cell space must be among them".into();
            return Err(sources.fail(place, Fault::Value { what, value, allowed }));
        }
        for [from, to] in links(sources, top)? {
            found.link(sources, from, to)?;
        }
        let idle = remarks::of_links(sources, &found, sections)?;
        found.remarks.extend(idle);
        Ok(found)
    }

    /// Takes in a link of the model.
    fn link(&mut self, sources: &Sources, from: End, to: End) -> Result<(), RuleError> {
        let unknown = |what: &str, end: &End, known: String| {
            let name = end.owner.as_ref().map_or(end.port.clone(), |owner| format!("{}@{owner}", end.port));
            sources.fail(end.place, Fault::Unknown { what: what.into(), name, known })
        };
        let space_of = |owner: &str| self.spaces.iter().position(|(name, _)| name == owner);
        let program = |owner: &Option<String>| {
            let owner = owner.as_ref()?;
            self.programs.iter().position(|program| program.name == *owner)
        };
        if program(&to.owner).is_some() {
            return Ok(());
        }
        if let Some(program) = program(&from.owner) {
            let node = to.owner.as_deref().and_then(|owner| match (space_of(owner), self.others.get(owner)) {
                (Some(space), _) => Some(Node::Space(space)),
                (None, Some(Origin::Queue(queue))) => Some(Node::Queue(*queue)),
                _ => None,
            });
            self.programs[program].to.extend(node);
            return Ok(());
        }
        let origin = match &from.owner {
            None => match self.ports.iter().position(|port| *port == from.port) {
                Some(port) => Origin::Port(port),
                None => return Err(unknown("the port", &from, format!("'in : {}' declares it", from.port))),
            },
            Some(owner) => match (space_of(owner), self.others.get(owner)) {
                (Some(space), _) => {
                    let binding = PortBinding { space, port: from.port.clone() };
                    let known = self.bindings.iter().position(|other| *other == binding);
                    Origin::Space(known.unwrap_or_else(|| {
                        self.bindings.push(binding);
                        self.bindings.len() - 1
                    }))
                }
                (None, Some(other)) if from.port == OUT => *other,
                (None, Some(_)) => {
                    return Err(unknown("the port", &from, "what a generator or a queue sends by is 'out'".into()));
                }
                (None, None) => return Err(unknown("the component of", &from, "'components' names them".into())),
            },
        };
        // A link to a port of the model leaves the model.
        let Some(owner) = &to.owner else { return Ok(()) };
        let node = match (self.spaces.iter().position(|(name, _)| name == owner), self.others.get(owner)) {
            (Some(space), _) => {
                self.leads.push((origin, space, to.port));
                Node::Space(space)
            }
            (None, Some(Origin::Queue(queue))) => {
                let Some(entrance) = Entrance::of(&to.port) else {
                    let known = "what comes to a queue comes by 'in' or 'done', as in the parallel CD++".into();
                    return Err(unknown("the port", &to, known));
                };
                self.queues[*queue].inputs.push((origin, entrance));
                Node::Queue(*queue)
            }
            (None, Some(_)) => {
                let what = format!("a link to the generator '{owner}'");
                let why = "a generator goes on to the end".into();
                return Err(sources.fail(to.place, Fault::Unsupported { what, why }));
            }
            (None, None) => return Err(unknown("the component of", &to, "'components' names them".into())),
        };
        if self.behind(node).contains(&node) {
            let what = format!("a link that leads back to '{}'", from.owner.as_deref().unwrap_or_default());
            let why =
                "what comes into a space must be known before it runs, so spaces and queues follow each other one way"
                    .into();
            return Err(sources.fail(to.place, Fault::Unsupported { what, why }));
        }
        Ok(())
    }

    /// The component that sends from an origin, if it receives from others.
    fn sender(&self, origin: Origin) -> Option<Node> {
        match origin {
            Origin::Space(binding) => Some(Node::Space(self.bindings[binding].space)),
            Origin::Queue(queue) => Some(Node::Queue(queue)),
            Origin::Generator(_) | Origin::Port(_) => None,
        }
    }

    /// The spaces and the queues that receive from a component, directly or through others.
    fn behind(&self, node: Node) -> Vec<Node> {
        let to_spaces = self.leads.iter().map(|(origin, space, _)| (*origin, Node::Space(*space)));
        let to_queue = |(n, queue): (usize, &Queue)| {
            queue.inputs.iter().map(move |(origin, _)| (*origin, Node::Queue(n))).collect::<Vec<_>>()
        };
        let links: Vec<_> = to_spaces.chain(self.queues.iter().enumerate().flat_map(to_queue)).collect();
        let (mut found, mut open) = (vec![], vec![node]);
        while let Some(node) = open.pop() {
            for (_, to) in links.iter().filter(|(origin, _)| self.sender(*origin) == Some(node)) {
                if !found.contains(to) {
                    found.push(*to);
                    open.push(*to);
                }
            }
        }
        found
    }

    /// The spaces to which no program sends, directly or through others, and remarks about those left out.
    ///
    /// # Errors
    /// No space is left.
    pub fn known(&self, sources: &Sources) -> Result<(Vec<usize>, Vec<String>), RuleError> {
        let mut sender: Vec<Option<&Program>> = vec![None; self.spaces.len()];
        for program in &self.programs {
            for node in program.to.iter().flat_map(|node| self.behind(*node).into_iter().chain([*node])) {
                if let Node::Space(space) = node {
                    sender[space].get_or_insert(program);
                }
            }
        }
        let known: Vec<usize> = (0..sender.len()).filter(|space| sender[*space].is_none()).collect();
        if let (Some(Some(program)), true) = (sender.first(), known.is_empty()) {
            let what = format!("the component '{}' of the type '{}'", program.name, program.kind);
            let why =
                "its behaviour is a program, and it sends into cells; generators, queues and cell spaces are supported"
                    .into();
            return Err(sources.fail(program.place, Fault::Unsupported { what, why }));
        }
        let of_space = |(space, sender): (usize, &Option<&Program>)| {
            let (name, program) = (&self.spaces[space].0, &sender.as_ref()?.name);
            Some(format!("the space {name} is left out, as {program} sends into it, whose behaviour is a program"))
        };
        let mut remarks: Vec<String> = sender.iter().enumerate().filter_map(of_space).collect();
        if remarks.is_empty() && !self.programs.is_empty() {
            let names: Vec<&str> = self.programs.iter().map(|program| program.name.as_str()).collect();
            remarks.push(format!("programs are left out that only hear of cells: {}", names.join(" ")));
        }
        remarks.extend_from_slice(&self.remarks);
        Ok((known, remarks))
    }

    /// Reads the links of the section of a space.
    pub fn inlets(
        &self,
        sources: &Sources,
        (space, section): (usize, &Section),
        size: [u32; AXES],
        dimensions: usize,
    ) -> Result<Inlets, RuleError> {
        let mut found = Inlets::default();
        let mut places: HashMap<(String, [u32; AXES]), usize> = HashMap::new();
        let cell = |end: &End| cell_of(sources, end.owner.as_deref().unwrap_or(""), end.place, size, dimensions);
        for [from, to] in links(sources, section)? {
            if from.owner.is_some() {
                let cell = cell(&from)?;
                found.outlets.push(Outlet { port: from.port, place: from.place, cell, to: to.port });
                continue;
            }
            let cell = cell(&to)?;
            let known = *places.entry((to.port.clone(), cell)).or_insert(found.all.len());
            if known == found.all.len() {
                found.all.push(Inlet { port: to.port, cell, origins: vec![], rules: None });
            }
            let leads = self.leads.iter().filter(|(_, to, port)| *to == space && *port == from.port);
            let origins = leads.map(|(origin, ..)| *origin);
            found.all[known].origins.extend(origins);
        }
        let words: Vec<_> = words(section, "portintransition").collect();
        for pair in words.chunks(2) {
            let [port, rules] = pair else {
                let expected = "the rules of the port, as in 'portInTransition : in@SPACE(0,0) RULES'".into();
                return Err(sources.fail(pair[0].place, Fault::Syntax { found: "the end".into(), expected }));
            };
            let text = port.text.to_ascii_lowercase();
            let (name, owner) = text.split_once('@').unwrap_or((&text, ""));
            let cell = cell_of(sources, owner, port.place, size, dimensions)?;
            // Nothing comes in by a port without a link.
            if let Some(known) = places.get(&(name.to_owned(), cell)) {
                found.all[*known].rules = Some((rules.text.to_ascii_lowercase(), rules.place));
            }
        }
        Ok(found)
    }
}
