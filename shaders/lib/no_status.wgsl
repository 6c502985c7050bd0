// lib/no_status: models without words of their own in the status.

import word64::{Wide};

struct ModelStatus {
    unused: Wide,
}
