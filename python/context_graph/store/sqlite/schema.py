"""The tables of a store file, and the number of their format."""

__all__ = ["FORMAT", "LOG", "PROJECTIONS", "RECORDS", "UNUSED"]

FORMAT = 5
"""Raised when an older program could no longer read or write the file correctly; `migrate.STEPS` leads here.

1: the first. 2: nodes say what they are derived from, which a permanent deletion must follow.
3: concepts are looked up by the key of their name. 4: an event's hash covers a salted hash of its author, so that
the name of an agent can be deleted. 5: records, which are no memories.
"""

LOG = """
CREATE TABLE IF NOT EXISTS meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The truth. payload and salt are NULL once purged, and so is who the author was; the hashes stay as the receipt.
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    hlc INTEGER NOT NULL,
    agent_id TEXT,
    session_id TEXT NOT NULL,
    context_id TEXT,
    salt BLOB,
    payload_hash TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    payload BLOB,
    author_salt BLOB,
    author_hash TEXT  -- NULL where the hash covers the names of the author themselves: formats 1 to 3
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_type ON events (type, seq);

-- Which events changed a row, or undid an event: lineage without reading the whole log.
CREATE TABLE IF NOT EXISTS touched (
    key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (key, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS blobs (
    sha256 TEXT PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;
"""

# The index is not unique: within one write a name may change hands in any order. `Transaction.put` sees to it.
RECORDS = """
CREATE TABLE IF NOT EXISTS records (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    agent_id TEXT,
    session_id TEXT NOT NULL,
    context_id TEXT,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS records_by_name ON records (kind, name);
"""

# Wide text stands last in a row: reading a narrow column then never follows overflow pages.
PROJECTIONS = (
    RECORDS
    + """
CREATE TABLE IF NOT EXISTS nodes (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    ordinal INTEGER,
    state TEXT NOT NULL,
    scope TEXT NOT NULL,
    domain TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    superseded_by TEXT,
    last_accessed INTEGER NOT NULL,
    access_count INTEGER NOT NULL,
    importance REAL NOT NULL,
    importance_by_user INTEGER NOT NULL,
    johari_quadrant TEXT NOT NULL,
    delta_s REAL NOT NULL,
    delta_c REAL NOT NULL,
    w_e REAL NOT NULL,
    phi REAL NOT NULL,
    learning_score REAL NOT NULL,
    steering_reward REAL NOT NULL,
    taint REAL NOT NULL,
    agent_id TEXT,
    session_id TEXT NOT NULL,
    context_id TEXT,
    position INTEGER NOT NULL,
    observer_perspective TEXT,
    speaker TEXT,
    modality TEXT NOT NULL,
    semantic_cluster TEXT,
    state_at INTEGER,
    state_by TEXT,
    state_reason TEXT,
    name_key TEXT,
    name TEXT NOT NULL,
    rationale TEXT NOT NULL,
    metadata TEXT NOT NULL,
    content TEXT NOT NULL,
    derived_from TEXT  -- where format 1 adds it; mostly NULL, which takes no room
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS nodes_by_ordinal ON nodes (ordinal) WHERE ordinal IS NOT NULL;
CREATE INDEX IF NOT EXISTS nodes_by_state ON nodes (state, state_at) WHERE state <> 'live';
CREATE INDEX IF NOT EXISTS nodes_by_session ON nodes (session_id, position);
CREATE INDEX IF NOT EXISTS nodes_by_name ON nodes (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS nodes_by_creation ON nodes (created_at);
CREATE INDEX IF NOT EXISTS nodes_by_successor ON nodes (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE IF NOT EXISTS edges (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
    target TEXT NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
    edge_type TEXT NOT NULL,
    weight REAL NOT NULL,
    confidence REAL NOT NULL,
    excitatory REAL NOT NULL,
    inhibitory REAL NOT NULL,
    modulatory REAL NOT NULL,
    is_amortized_shortcut INTEGER NOT NULL,
    steering_reward REAL NOT NULL,
    domain TEXT NOT NULL,
    origin TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_accessed INTEGER NOT NULL,
    access_count INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS edges_by_source ON edges (source);
CREATE INDEX IF NOT EXISTS edges_by_target ON edges (target);

CREATE TABLE IF NOT EXISTS vectors (
    node_id TEXT NOT NULL REFERENCES nodes DEFERRABLE INITIALLY DEFERRED,
    space TEXT NOT NULL,
    model TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (node_id, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS goals (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    agent_id TEXT,
    started_at INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;

-- How often two nodes were retrieved together; first < second.
CREATE TABLE IF NOT EXISTS pairs (
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (first, second)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pairs_by_second ON pairs (second);

CREATE TABLE IF NOT EXISTS counters (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""
)

UNUSED = "DROP INDEX IF EXISTS vectors_by_blob;"
"""What earlier versions made and nobody reads: each vector of a write changed a page of its own of it."""
