// lib/no_status: models that have no words of their own in the status.

import word64::{Wide};

struct ModelStatus {
    unused: Wide,
}
