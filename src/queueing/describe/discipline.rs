//! Disciplines: who is served next, and all that is said of it. Their twin on a device is `shaders/multiclass/queues/orders.wgsl`.

use tickless_core::time::Time;

/// Who of the tokens of one priority that wait at a station is served next.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::Discipline;
/// assert_eq!("lcfs".parse(), Ok(Discipline::LastCome));
/// assert_eq!(Discipline::default().name(), "fcfs");
/// assert!("lifo".parse::<Discipline>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// `fcfs`: who came first.
    #[default]
    FirstCome,
    /// `lcfs`: who came last.
    LastCome,
    /// `lcfs-preemptive`: who came last, at once; the service that it interrupts is resumed later.
    LastComePreemptive,
    /// `siro`: one of them at random.
    Random,
    /// `sjf`: whose service is the shortest, which is known at its arrival.
    ShortestJob,
    /// `psjf`: as `sjf`, and a shorter job interrupts a longer one.
    PreemptiveShortestJob,
    /// `srpt`: with the least left of the service, at once (L. E. Schrage, 1968).
    ShortestRemaining,
    /// `least`: with the least value of an attribute ([`Station::order_by`](super::Station::order_by)).
    LeastValue,
    /// `edd`: whose due date is the earliest: an attribute after it came from its source; tokens of time 0 came then.
    EarliestDue,
    /// `ageing`: who came first, but for an attribute that is added to the time at which it came here: a priority that rises while one waits.
    Ageing,
    /// `ps`: nobody waits. All that are there share the servers alike, whatever their priority, and none has more than one server.
    Sharing,
}

/// In which order tokens of one priority are served. The numbers are those of the shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Order {
    FirstCome = 0,
    LastCome = 1,
    Random = 2,
    ShortestJob = 3,
    /// All at the same time.
    Sharing = 4,
    ShortestRemaining = 5,
    LeastValue = 6,
    EarliestDue = 7,
    Ageing = 8,
}

impl Discipline {
    /// Whether who comes may interrupt a service of its own priority.
    pub(crate) fn is_preemptive(self) -> bool {
        matches!(self, Self::LastComePreemptive | Self::PreemptiveShortestJob | Self::ShortestRemaining)
    }

    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::FirstCome,
        Self::LastCome,
        Self::LastComePreemptive,
        Self::Random,
        Self::ShortestJob,
        Self::Sharing,
        Self::PreemptiveShortestJob,
        Self::ShortestRemaining,
        Self::LeastValue,
        Self::EarliestDue,
        Self::Ageing,
    ];

    /// Its name in files, the order of service, and who is served first, as the reference page of files says it.
    fn about(self) -> (&'static str, Order, &'static str) {
        match self {
            Self::FirstCome => ("fcfs", Order::FirstCome, "the first"),
            Self::LastCome => ("lcfs", Order::LastCome, "the last"),
            Self::LastComePreemptive => ("lcfs-preemptive", Order::LastCome, "the last at once"),
            Self::Random => ("siro", Order::Random, "at random"),
            Self::ShortestJob => ("sjf", Order::ShortestJob, "the shortest job"),
            Self::PreemptiveShortestJob => ("psjf", Order::ShortestJob, "the shortest job at once"),
            Self::ShortestRemaining => ("srpt", Order::ShortestRemaining, "the least left to do, at once"),
            Self::LeastValue => ("least", Order::LeastValue, "the least value of `order_by`"),
            Self::EarliestDue => ("edd", Order::EarliestDue, "the earliest due date"),
            Self::Ageing => ("ageing", Order::Ageing, "the first beside what `order_by` adds"),
            Self::Sharing => ("ps", Order::Sharing, ""),
        }
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        self.about().0
    }

    pub(crate) fn order(self) -> Order {
        self.about().1
    }

    /// What the reference page of files says of all.
    #[cfg(feature = "files")]
    pub(crate) fn said() -> String {
        let waiting = Self::ALL.into_iter().filter(|discipline| discipline.order() != Order::Sharing);
        let orders: Vec<_> = waiting.map(|discipline| discipline.about().2).collect();
        let orders = orders.join(", ");
        format!("The order of those of one priority: {orders}; with `ps` nobody waits, all share the servers alike.")
    }
}

impl std::str::FromStr for Discipline {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|discipline| discipline.name() == text);
        found.ok_or_else(|| format!("'{text}' is no discipline; it may be {}", Self::ALL.map(Self::name).join(", ")))
    }
}

impl Order {
    /// Whether the service and the route of a token are drawn at its arrival.
    pub(crate) fn knows_services(self) -> bool {
        matches!(self, Self::ShortestJob | Self::ShortestRemaining)
    }

    /// Whether an attribute of tokens decides.
    pub(crate) fn is_by_attribute(self) -> bool {
        matches!(self, Self::LeastValue | Self::EarliestDue | Self::Ageing)
    }

    /// What decides between tokens of one priority, before the number of their arrival does: the lowest is first. `time` is what the order is by.
    pub(crate) fn key(self, arrival: u64, time: Time) -> u64 {
        match self {
            Self::FirstCome | Self::Random | Self::Sharing => arrival,
            Self::LastCome => !arrival,
            _ => time.ticks(),
        }
    }
}
