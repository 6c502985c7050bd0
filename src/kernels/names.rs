//! Names of a linked text: each has one meaning. Where a user's own module declares a name that is one of the library's, too, and imports
//! none of that name, what is no buffer has another name in the text.

use std::collections::{BTreeMap, BTreeSet};

use super::error::LinkError;
use super::link::{Linker, Place};
use super::module::ItemKind;

impl Linker<'_> {
    /// Whether every name has one meaning, and is imported where it is used.
    pub(super) fn check(&mut self) -> Result<(), LinkError> {
        let mut renamed = BTreeSet::new();
        for &place in &self.reached {
            let name = self.item(place).name.clone();
            let Some(other) = self.owners.insert(name.clone(), place) else { continue };
            let Some(private) = self.private(other, place) else {
                let modules = [other, place].map(|(number, _)| self.modules[number].name.clone());
                return Err(LinkError::Ambiguous { name, modules });
            };
            renamed.insert(private);
            self.owners.insert(name, if private == place { other } else { place });
        }
        for &(number, item) in &self.reached {
            let module = &self.modules[number];
            for name in &module.items[item].uses {
                let known = module.find(name).is_some() || module.imports.contains_key(name);
                if let Some(owner) = self.owners.get(name).filter(|_| !known) {
                    if module.own.is_none() && self.is_private(owner) {
                        // A function of the language has this name, too.
                        renamed.insert(*owner);
                        continue;
                    }
                    let [module, owner] = [module, &self.modules[owner.0]].map(|module| module.name.clone());
                    return Err(LinkError::NotImported { name: name.clone(), module, owner });
                }
            }
        }
        self.rename(renamed);
        Ok(())
    }

    /// Whether a declaration is a user's own, and no buffer: those keep their names, by which they are bound.
    fn is_private(&self, place: &Place) -> bool {
        self.modules[place.0].own.is_some() && self.item(*place).kind != ItemKind::Buffer
    }

    /// Which of two declarations of one name has another name in the linked text: a user's own one, which the library cannot know, or where
    /// that is a buffer the library's.
    fn private(&self, one: Place, other: Place) -> Option<Place> {
        let has_own = [one, other].iter().any(|place| self.modules[place.0].own.is_some());
        let is_free = |place: &Place| has_own && self.item(*place).kind != ItemKind::Buffer;
        [one, other].into_iter().find(|place| self.is_private(place)).or([one, other].into_iter().find(is_free))
    }

    /// Finds a name that nothing else has for each of these declarations.
    fn rename(&mut self, places: BTreeSet<Place>) {
        let mut renamed = vec![BTreeMap::new(); self.modules.len()];
        let mut words = BTreeSet::new();
        if !places.is_empty() {
            words.extend(self.modules.iter().flat_map(|module| module.words()).map(str::to_owned));
        }
        for place in places {
            let name = &self.item(place).name;
            let mut new = format!("own_{name}");
            while !words.insert(new.clone()) {
                new.push('_');
            }
            for (number, names) in renamed.iter_mut().enumerate() {
                if self.place_of(number, name) == Some(place) {
                    names.insert(name.clone(), new.clone());
                }
            }
        }
        self.renamed = renamed;
    }
}
