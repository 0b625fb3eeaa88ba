"""What Context Graph promises, one line each, with the page that says so; tests name the promise they keep.

`@requirement("ingest:other-facts-are-kept")` ties a test to a promise; `tests/test_requirements.py` finds a promise
that no test keeps, a test that names none of these, and a page that does not exist.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

__all__ = ["REQUIREMENTS", "Requirement", "requirement"]

Test = TypeVar("Test", bound=Callable[..., Any] | type)


class Requirement(NamedTuple):
    """A behaviour that users may rely on.

    Attributes
    ----------
    text : str
        The behaviour, in one sentence.
    source : str
        The page of the documentation that promises it, below `docs/`.
    """

    text: str
    source: str


# One block a subject, in the order of the architecture; "subject:promise" is the name.
REQUIREMENTS: dict[str, Requirement] = {
    # ingest: what is stored, and what counts as known
    "ingest:other-facts-are-kept": Requirement(
        "A text that differs in a word, number, sign, operator, path, case, name, negation or order is stored.",
        "memory/data-model.md",
    ),
    "ingest:repetitions-join": Requirement(
        "A text that is equal but for Unicode form, white space and final full stop is stored once, and what was given "
        "beside it joins.",
        "memory/data-model.md",
    ),
    "ingest:corrections-are-not-punished": Requirement(
        "What says something else than a similar memory has no negative reward and is called no duplicate.",
        "agents.md",
    ),
    "ingest:many-are-as-one-by-one": Requirement(
        "`remember_many` makes of each draft what `remember` would have made of it, in the order given.",
        "memory/data-model.md",
    ),
    "ingest:a-batch-is-one-event": Requirement(
        "Up to 64 drafts given together are one event: undone as a whole, and any of its memories can be deleted for "
        "good by itself.",
        "memory/data-model.md",
    ),
    "ingest:many-go-on-where-they-stopped": Requirement(
        "A write that fails loses its own drafts alone; the same drafts given again store what is missing.",
        "memory/data-model.md",
    ),
    "ingest:nobody-is-left-with-neither": Requirement(
        "A memory that others do not see takes the place of none that they see.",
        "memory/data-model.md",
    ),
    "ingest:a-repetition-supersedes": Requirement(
        "A memory that is repeated with `metadata.supersedes` takes the place of what that names, and nothing new is "
        "stored.",
        "memory/truth.md",
    ),
    "ingest:unreadable-dates-are-errors": Requirement(
        "A `metadata.date` that cannot be read is refused with the formats that can.", "agents.md"
    ),
    "ingest:speaker-and-date-from-the-text": Requirement(
        "A text that begins with a date in brackets or a speaker is stored as it is, with both as its fields, and the "
        "answer says so.",
        "agents.md",
    ),
    "ingest:one-name-is-one-concept": Requirement(
        "A name is one concept however it is spelt: case, hyphens, apostrophes and articles do not count.",
        "memory/data-model.md",
    ),
    "ingest:split-names-can-be-joined": Requirement(
        "`context-graph repair` joins concepts that are one name, by one write that undo takes back.",
        "memory/data-model.md",
    ),
    "metadata:bounded-before-walked": Requirement(
        "Metadata of very many entries are refused before they are walked.", "quickstart.md"
    ),
    # safety: secrets, personal data, who may touch what
    "access:every-id-passes-one-rule": Requirement(
        "An id or citation tag in any argument names only what the caller's session may see.", "agents.md"
    ),
    "access:one-rule-in-three-forms": Requirement(
        "Who may see a memory is one rule; its forms for a node, for the index and for the store agree.",
        "architecture.md",
    ),
    "access:one-memory-serves-many-callers": Requirement(
        "One memory serves many callers at once; sessions, conversations, agents and cached answers do not mix.",
        "architecture.md",
    ),
    "access:citation-tags-serve-as-ids": Requirement(
        "Every tool that takes the id of a node takes its citation tag too.", "agents.md"
    ),
    "access:permanent-deletion-is-the-persons": Requirement(
        "Over MCP nothing is deleted for good unless the setting `allow_permanent_deletion` is on.", "reliability.md"
    ),
    "secrets:everyday-shapes": Requirement(
        "Secrets and personal data in the shapes of everyday notes and commands are replaced before anything is kept.",
        "quickstart.md",
    ),
    "secrets:plain-text-stays": Requirement(
        "Prose and code that speak of secrets and hold none stay as they are.", "quickstart.md"
    ),
    "privacy:names-of-agents-and-sessions": Requirement(
        "An agent or a session that is named by personal data or a secret is written under a pseudonym.",
        "quickstart.md",
    ),
    "secrets:kinds": Requirement(
        "A setting names the kinds of sensitive text that are replaced, or none.", "quickstart.md"
    ),
    # exchange: export, import, seed, capture
    "import:vectors-of-strangers": Requirement(
        "Vectors in a file are believed only where the key of this store signed it; else they are made anew.",
        "quickstart.md",
    ),
    "capture:recall-hooks": Requirement(
        "Claude Code is told who its user is when a session starts, and what a prompt needs, briefly or not at all.",
        "capture.md",
    ),
    "capture:what-was-decided-comes-back": Requirement(
        "What was decided in a captured conversation is told on the next day, and what changed since is told as past.",
        "capture.md",
    ),
    "capture:half-a-character": Requirement(
        "Half a character, which no file can hold, becomes U+FFFD, and the capture goes on.", "quickstart.md"
    ),
    "seed:sync": Requirement(
        "A second `seed` supersedes what changed and forgets what is gone, and both can be undone.", "quickstart.md"
    ),
    "seed:nothing-else-is-forgotten": Requirement(
        "`seed` forgets only what is certainly gone: not what it cannot read, has not looked at, or lies beside it.",
        "quickstart.md",
    ),
    "seed:missing-disk": Requirement(
        "`seed` refuses to forget more than nine tenths of what is known of a folder, unless it is told to.",
        "quickstart.md",
    ),
    "seed:bounded-file": Requirement(
        "A file given to `seed` by name is bounded as the files of a folder are.", "quickstart.md"
    ),
    "seed:definitions": Requirement(
        "Code of twelve languages is read by its definitions, each with name, kind, signature, comment and lines.",
        "folders.md",
    ),
    "seed:front-matter": Requirement(
        "Front matter of a Markdown note is no memory: its date, tags and title are those of the note's parts.",
        "folders.md",
    ),
    "seed:documents": Requirement(
        "Notebooks, tables, data, pages and PDF are read by cells, rows, keys, headings and pages.", "folders.md"
    ),
    "seed:missing-extra": Requirement(
        "A file whose extra is not installed is counted with what to install, and nothing fails.", "folders.md"
    ),
    "seed:hostile-files": Requirement(
        "A hostile or damaged file is bounded in time and parts, leads to no other place and stops no other file.",
        "folders.md",
    ),
    "seed:gitignore": Requirement("What a .gitignore leaves out is left out, with or without git.", "folders.md"),
    "seed:watch": Requirement(
        "`seed --watch` brings each change to the memory until Ctrl-C, and says where it must look at all files.",
        "folders.md",
    ),
    "seed:no-curation": Requirement(
        "Curation proposes nothing for a passage of a file: the file says what becomes of it.", "folders.md"
    ),
    "project:known": Requirement(
        "What is seeded or captured in a folder knows the name and the repository of its project.", "folders.md"
    ),
    "project:filter": Requirement(
        "Search, context, command line and tools answer from one project where that is asked.", "folders.md"
    ),
    "import:order": Requirement(
        "A file whose lines are not in the order of an export is refused with the line before anything is written.",
        "quickstart.md",
    ),
    "import:accepted-is-usable": Requirement(
        "What an import accepts can be searched, verified and exported again.", "quickstart.md"
    ),
    "markdown:export": Requirement(
        "Each live memory, and each concept that two mention, has a note with front matter and links.",
        "markdown.md",
    ),
    "markdown:exact": Requirement(
        "A note holds its text exactly, whatever that is, and an unchanged folder changes nothing.", "markdown.md"
    ),
    "markdown:paths": Requirement(
        "No text chooses a path: names are safe on every system, and links out of the folder are not followed.",
        "markdown.md",
    ),
    "markdown:update": Requirement(
        "A second export touches only what changed, and keeps and names what was edited.", "markdown.md"
    ),
    "markdown:strange-folder": Requirement(
        "A folder that is neither empty nor an export of this store is refused.", "markdown.md"
    ),
    "markdown:correction": Requirement(
        "An edited text supersedes its memory, by one write that undo takes back.", "markdown.md"
    ),
    "markdown:fields": Requirement("Edited tags, importance and name change the memory itself.", "markdown.md"),
    "markdown:new": Requirement("A new file is a memory, once, and keeps its own front matter.", "markdown.md"),
    "markdown:copies": Requirement(
        "A copy of a note that is still there is new and corrects nothing; where no file is the original, none does.",
        "markdown.md",
    ),
    "markdown:restored": Requirement(
        "A file that was deleted and that an export writes again is named.", "markdown.md"
    ),
    "markdown:missing": Requirement(
        "A memory whose file is gone is named, and forgotten only when asked; never most of a folder.", "markdown.md"
    ),
    "markdown:conflict": Requirement(
        "Where a memory changed since the export, its edited file is named and nothing is overwritten.", "markdown.md"
    ),
    "markdown:unreadable": Requirement(
        "What cannot be read is counted with the reason and stops nothing; an order to an agent ends no memory.",
        "markdown.md",
    ),
    "markdown:hostile": Requirement(
        "Front matter with tags, aliases, depth or length that no note has is refused in words.", "markdown.md"
    ),
    "markdown:dry-run": Requirement("A dry run says what would be done, and writes nothing.", "markdown.md"),
    "markdown:stranger": Requirement(
        "Of any other folder nothing but text and plain fields is taken, whatever ids it names.", "markdown.md"
    ),
    "store:hints-at-what-it-updates": Requirement(
        "The suggestions of a store name the memory that an update may replace.", "agents.md"
    ),
    # recall: search and what an agent is told
    "recall:other-languages": Requirement(
        "A memory in German, Spanish, French, Italian, Portuguese, Dutch, Polish, Chinese or Japanese is found and told"
        " by a question in its language and in English, an English one by a question in these.",
        "memory/languages.md",
    ),
    "recall:languages-without-a-table": Requirement(
        "In Russian, Greek, Arabic, Hindi, Korean, Swedish, Turkish and ten other languages a question finds what was"
        " told in other forms of its words, and is told nothing that has none of them.",
        "memory/languages.md",
    ),
    "recall:other-languages-stay-silent": Requirement(
        "A question in another language about what is not here is told nothing.", "memory/languages.md"
    ),
    "recall:english-stays-as-it-is": Requirement(
        "English texts are read as they stand, foreign names in them too.", "memory/languages.md"
    ),
    "recall:another-matter-ends-nothing": Requirement(
        "What was told later of another matter does not make past what answers a question.",
        "memory/truth.md",
    ),
    "recall:typed-in-a-hurry": Requirement(
        "English without apostrophes is understood as with them.", "memory/languages.md"
    ),
    "recall:the-user-in-the-third-person": Requirement(
        "What is noted of the user in the third person is compared as what the user says.", "memory/truth.md"
    ),
    "recall:of-a-conversation": Requirement(
        "What a user tells an assistant is replaced by what they say later, whatever the assistant answers between, and"
        " its repetition by the assistant is marked as well.",
        "memory/truth.md",
    ),
    "recall:of-a-group": Requirement(
        "Of what a group keeps in one memory, a change that one reports takes the place of what another said, unless it"
        " is of who speaks; a question in other words is told the nearest, with a doubt.",
        "memory/truth.md",
    ),
    "recall:what-is-announced": Requirement(
        "A change that is announced for a day takes the place of what holds from that day on, and not before.",
        "memory/truth.md",
    ),
    "recall:a-part-ends-nothing": Requirement(
        "A new part, a repair, a treatment or a further step (engaged, promoted) ends nothing of what is there.",
        "memory/truth.md",
    ),
    "recall:inflected-words-meet": Requirement(
        "Words are compared by the stems of their language, without accents.", "memory/languages.md"
    ),
    "recall:what-i-do-is-mine": Requirement(
        "A question where or how I do something is answered by what I said of myself, not by who shares its verb.",
        "memory/truth.md",
    ),
    "recall:word-forms": Requirement(
        "A question finds what was told in another form of its words: bought and buy, kids and children, colour and "
        "color, mum and mother.",
        "memory/retrieval.md",
    ),
    "recall:latest": Requirement(
        "A question for what was said last is told what was, the latest first.", "memory/relevance.md"
    ),
    "recall:keywords": Requirement(
        "Queries of a few keywords find what they name: an attribute of the user or of a project, in the user's words "
        "or an agent's.",
        "memory/relevance.md",
    ),
    "recall:beside-the-best": Requirement(
        "Beside what is likely to answer a question, no statement is told that is much less likely to.",
        "memory/relevance.md",
    ),
    "recall:likeliest-first": Requirement(
        "What is twice as likely to answer a question as what would be told first is told before it.",
        "memory/relevance.md",
    ),
    "recall:none-for-what-was-never-told": Requirement(
        "What is like the answer of a question, of another thing or another attribute, is told with a doubt or not.",
        "memory/relevance.md",
    ),
    "recall:nearest-of-ones-own": Requirement(
        "What can only be about the memory of one person is told the nearest, and that it is no more; anything else "
        "that nothing answers is told nothing.",
        "memory/relevance.md",
    ),
    "recall:only-that-time": Requirement(
        "A question for nothing but a time is told what lies in it and nothing else.",
        "memory/truth.md",
    ),
    "recall:the-newest-holds": Requirement(
        "What took the place of an earlier statement stands above it; what both holds is left alone.",
        "memory/truth.md",
    ),
    "recall:from-the-terminal": Requirement(
        "`remember` stores what a person tells, `ask` says what an agent would be told, `list` and `status` what there "
        "is.",
        "quickstart.md",
    ),
    "recall:what-is-known-of-me": Requirement(
        "A question for all that is known of the user gets a profile: standing instructions and preferences, who they "
        "are, decisions, what is open; what holds now alone.",
        "memory/relevance.md",
    ),
    "recall:relatives-by-their-names": Requirement(
        'Who is close to the user is found by their name, once it was told: "my sister Klara".',
        "memory/ranking.md",
    ),
    "recall:what-was-before-a-thing": Requirement(
        'What was before a thing is told by the note of the change: "we left Fly.io for Hetzner".',
        "memory/time.md",
    ),
    "recall:parts": Requirement(
        "Of a statement that says several things, only the part that a later one changes is told as past.",
        "memory/truth.md",
    ),
    "recall:one-change-one-thing": Requirement(
        "What plainly took the place of one statement is not taken to replace another that is about something else.",
        "memory/truth.md",
    ),
    "recall:own-name": Requirement(
        "Who asks for their own name is told how they introduced themselves: as I am, call me, or here.",
        "memory/relevance.md",
    ),
    "recall:elapsed": Requirement(
        "The time between two events, or from one until now, is counted where memories date them, else left alone.",
        "memory/time.md",
    ),
    "recall:alternatives": Requirement(
        "A later statement that names one of two alternatives stands above what names the other, or leaves both open.",
        "memory/truth.md",
    ),
    "recall:of-oneself": Requirement(
        "A question where, when or how I do something is not answered by what another person does; things are no "
        "other person.",
        "memory/truth.md",
    ),
    "recall:over-by-its-own-words": Requirement(
        "What says for how long it holds is told with its end once it is over.",
        "memory/truth.md",
    ),
    "recall:the-closed-answers-how-it-was": Requirement(
        "A question for how something was is told what the store has closed since, with its end.",
        "memory/truth.md",
    ),
    "recall:past-is-marked": Requirement(
        "A statement that seems to be past is told with the day until which it held.",
        "memory/truth.md",
    ),
    "recall:what-disagrees-is-said": Requirement(
        "Two results that contradict each other and cannot be ordered are told together, each with a mark, and one "
        "line says that they disagree.",
        "memory/truth.md",
    ),
    "recall:both-hold-is-no-conflict": Requirement(
        "Other things, people, purposes, conditions and times are no conflict, nor is what somebody said to hold "
        "beside.",
        "memory/truth.md",
    ),
    "recall:why-it-is-past": Requirement(
        "`search_graph` with `explain` says of each replaced result why it is taken for replaced, and how likely that "
        "is.",
        "memory/truth.md",
    ),
    "tools:uncertain-becomes-a-question": Requirement(
        "Where a later memory may have ended an earlier one, or two disagree, `curation_tasks` holds a question for "
        "the user and what to call for each answer; nothing changes before, and it is asked once.",
        "memory/truth.md",
    ),
    "recall:a-log-of-many-alike": Requirement(
        "Of many statements that are alike, as a log has them, none ends another, and the one asked for comes first.",
        "memory/truth.md",
    ),
    "recall:the-last-of-a-kind": Requirement(
        "Who asks when something was last done, or for the last value of something measured, is told the last first,"
        " though an earlier one is nearer to the words of the question.",
        "memory/time.md",
    ),
    "recall:elliptic-updates": Requirement(
        'What names no thing ("Cancelled.", "Up to 16!") takes the place of the last statement that it completes.',
        "memory/truth.md",
    ),
    "recall:other-aspects": Requirement(
        "What is told of a thing, and not of what is asked about it, ends nothing.",
        "memory/truth.md",
    ),
    "recall:entries-of-lists": Requirement(
        "A change of one entry of a list leaves the others.",
        "memory/truth.md",
    ),
    "recall:notes-of-work": Requirement(
        "A command or rule holds beside what was done, and a note of work ends nothing of another matter.",
        "memory/truth.md",
    ),
    "recall:changes-in-other-languages": Requirement(
        "What has changed is told first in languages that are read word by word, too.",
        "memory/languages.md",
    ),
    "recall:what-somebody-said": Requirement(
        "Who asks what somebody said is told their statements, and what others report of them.",
        "memory/relevance.md",
    ),
    "recall:all-of-a-kind": Requirement(
        "Who asks for all that is known of somebody, for instructions, decisions or what is open gets all of them.",
        "memory/briefing.md",
    ),
    "recall:order-and-percentage-agree": Requirement(
        "What a search puts first it says to be most relevant: the percentage never rises from one rank to the next.",
        "memory/relevance.md",
    ),
    "recall:a-sense-of-time": Requirement(
        "What a question asks of time selects and orders what is found, and what lies in that time is told though no "
        "word is shared.",
        "memory/time.md",
    ),
    "recall:words-of-time-in-memories": Requirement(
        "A memory is found by the time that its text names, read against the moment it is of.",
        "memory/time.md",
    ),
    "recall:asked-at": Requirement(
        "`asked_at` is what a question's words of time are read against, the clock by default, and hides nothing.",
        "memory/time.md",
    ),
    "recall:a-length-asks-for-both-events": Requirement(
        "The length of a time is read off what tells of either event, so neither is left out.", "memory/time.md"
    ),
    "recall:the-question-is-judged": Requirement(
        "A context is empty where the question is about nothing here, else in the order of the ranks.",
        "memory/relevance.md",
    ),
    "recall:the-user-is-meant": Requirement(
        "Of a conversation with an assistant a question finds what the user said, "
        "and what the assistant said where it asks for that.",
        "memory/ranking.md",
    ),
    "recall:standing-wishes": Requirement(
        "What a user wants always or never is found beside what a later question asks for.", "memory/ranking.md"
    ),
    "recall:going-on": Requirement(
        "What a user says to go on with what they said before is found beside it.", "memory/ranking.md"
    ),
    "recall:the-best-passage-is-told": Requirement(
        "A context tells the best passage of each memory before more of any.", "memory/relevance.md"
    ),
    "inject:priority": Requirement(
        "A low priority is answered from the answer cache or by words alone, without a model; a critical one tells all "
        "that is relevant, whole, as far as the token budget goes.",
        "agents.md",
    ),
    "inject:retried": Requirement(
        "Where a warning says auto_retry_after, the next answer of a suggested tool in the session brings that context "
        "again, asked with priority critical; once.",
        "agents.md",
    ),
    "recall:stored-text-is-quoted": Requirement(
        "In an injected context each memory is a quotation that its text cannot end, with date, source and trust.",
        "agents.md",
    ),
    "recall:no-control-characters-leave": Requirement(
        "Control characters and marks of text direction in stored text leave the tools as escapes.", "agents.md"
    ),
    "recall:reasoning-is-criticised": Requirement(
        "`critique_context` names the memories that contradict a line of reasoning or say that it is past, with type "
        "and confidence.",
        "memory/truth.md",
    ),
    # curation: notes, weight, merges
    "curation:notes-are-told": Requirement(
        "A note that `annotate_node` puts beside a memory is told wherever the memory is, and changes no word of it.",
        "memory/curation.md",
    ),
    "curation:a-deprecation-ends-validity": Requirement(
        "A deprecation ends the validity of a memory: it is no longer found as current, and answers questions for the "
        "past.",
        "memory/curation.md",
    ),
    "curation:importance-is-multiplied": Requirement(
        "`boost_importance` multiplies an importance within 0 and 1, and searches with `min_importance` follow it.",
        "memory/curation.md",
    ),
    "curation:undone-to-the-byte": Requirement(
        "`restore_from_hash` takes each note, boost and merge back: rows, edges and vectors as they were.",
        "memory/curation.md",
    ),
    "curation:what-was-superseded-comes-back": Requirement(
        "Forgetting a memory reopens what it alone had superseded, until that is undone; where its reason is obsolete, "
        "the answer names what stays closed, and `restore_concept` reopens it.",
        "memory/truth.md",
    ),
    "curation:a-merge-loses-nothing": Requirement(
        "A merge keeps its sources as its past, readable and citable, and says what of them its text leaves out.",
        "memory/curation.md",
    ),
    "curation:facts-that-differ-are-not-merged": Requirement(
        "Where a number, date, unit, name, negation or the like differs nothing is merged, unless forced, and the "
        "answer says what differs.",
        "memory/curation.md",
    ),
    "curation:assumptions-are-kept-apart": Requirement(
        "Where assumptions disagree, memories are linked with a note of what holds under which, and not merged.",
        "memory/curation.md",
    ),
    # learning: what the nervous layer says of itself
    "learning:feedback-is-the-reward-of-the-store": Requirement(
        "`get_steering_feedback` tells the reward that `store_memory` would answer with, and stores nothing.",
        "agents.md",
    ),
    "learning:levels-are-those-of-the-session": Requirement(
        "`get_neuromodulation` and `utl_status` tell the levels of one session, which follow what it stores and asks.",
        "agents.md",
    ),
    "learning:nothing-is-made-up": Requirement(
        "Where nothing was measured, an answer about the state of the memory says so in place of a number.", "agents.md"
    ),
    "learning:logs-tell-why": Requirement(
        "`get_system_logs` tells why something was removed, merged or quarantined, and the hash that takes it back.",
        "agents.md",
    ),
    "safety:checked-before-it-is-stored": Requirement(
        "`check_adversarial` tells the signs of an attack in a text and what `store_memory` would do with it.",
        "agents.md",
    ),
    # dream: consolidation that somebody asks for
    "dream:proposes-and-never-merges": Requirement(
        "`trigger_dream` proposes what to strengthen, link or merge, changes nothing unless applied, and never merges.",
        "memory/curation.md",
    ),
    "dream:applied-it-is-one-event": Requirement(
        "An applied dream writes weights and links as one event, at most 1 % of all edges, that can be taken back.",
        "memory/curation.md",
    ),
    "dream:private-notes-stay-private": Requirement(
        "Of a private working note no dream makes a memory but one of its own agent.", "memory/curation.md"
    ),
    "dream:ripe-notes-become-memories": Requirement(
        "An applied dream makes memories of working notes that are important enough.", "memory/curation.md"
    ),
    # manifest: what a user edits
    "manifest:edits-are-one-step": Requirement(
        "The edits of manifest.md are one event that can be taken back, or none is made and each wrong line is told.",
        "memory/curation.md",
    ),
    "manifest:nothing-written-is-lost": Requirement(
        "What a user wrote into manifest.md stays in it; what was done is listed at its end.", "memory/curation.md"
    ),
    # scratchpad: working notes
    "scratchpad:isolated": Requirement(
        "A working note is read by its agent in its session, by its session or by all, as its privacy says, from every "
        "process.",
        "memory/curation.md",
    ),
    "scratchpad:ends-by-itself": Requirement(
        "A working note ends after an hour; it stands in no log and no search finds it.", "memory/curation.md"
    ),
    # embedding: tiers and models
    "models:any-folder": Requirement(
        "A folder of one's own is read with any tokenizer.json, pooling, prefix, length up to 8,192 tokens and width.",
        "memory/models.md",
    ),
    "models:all-spaces": Requirement("A model of one's own fills E1, E5, E7 and E12.", "memory/models.md"),
    "models:never-another": Requirement(
        "A model that cannot be read as it was chosen is an error, and no other model takes its place.",
        "memory/models.md",
    ),
    "models:scale": Requirement(
        "A model's scores are put on the scale of relevance by what it scores over fixed probes, and one that tells "
        "nothing apart has no say.",
        "memory/models.md",
    ),
    "models:use": Requirement(
        "`context-graph model use` checks a model, writes it down with its digest and embeds every memory with it.",
        "memory/models.md",
    ),
    "models:multilingual": Requirement(
        "The extra `multilingual` is chosen by its name; its weights are checked by SHA-256 and no code of it is run.",
        "memory/models.md",
    ),
    "models:service": Requirement(
        "A service that embeds is asked in batches, again where that may help, and what it answers is checked.",
        "memory/models.md",
    ),
    "models:service-stays-here": Requirement(
        "Texts go to no other machine than this one, unless a setting names it, and no redirection is followed.",
        "memory/models.md",
    ),
    "models:no-key-written": Requirement(
        "The key of a service comes from an environment variable and is never written down.", "memory/models.md"
    ),
    "models:reranker": Requirement(
        "The scores of a cross-encoder are added to the totals of the first 50 results where a setting names one.",
        "memory/models.md",
    ),
    "embedding:change-of-models": Requirement(
        "A store whose model changes answers as well as before while it is embedded anew, and says so.",
        "memory/models.md",
    ),
    # cases: models, cases, networks
    "inference:networks-are-exact": Requirement(
        "The exact methods of `bayesian_inference` give the posteriors, joint values and probabilities of "
        "evidence that enumeration gives.",
        "memory/cases.md",
    ),
    "inference:sampling-says-how-far-it-got": Requirement(
        "Gibbs sampling answers the same question alike, and says by how much two chains differ.",
        "memory/cases.md",
    ),
    "inference:impossible-evidence-is-named": Requirement(
        "Evidence that cannot be is an error that names it, without what could be.",
        "memory/cases.md",
    ),
    "inference:dense-networks-are-refused": Requirement(
        "A network that is linked too densely for exact inference is told before memory is taken.",
        "memory/cases.md",
    ),
    "cases:are-memories": Requirement(
        "A case is a memory: searches find it, and what is forgotten, undone or deleted for good is in no prediction.",
        "memory/cases.md",
    ),
    "cases:similarity-by-type": Requirement(
        "Each feature is compared by its type, and the arrays say what its definition says, value by value.",
        "memory/cases.md",
    ),
    "cases:missing-is-neutral": Requirement(
        "A feature that a case lacks counts as half similar, and the answer says which are missing.",
        "memory/cases.md",
    ),
    "cases:confidence-is-checked": Requirement(
        "Confidence follows from cases that are left out one by one, with Brier score and expected calibration error.",
        "memory/cases.md",
    ),
    "cases:none-similar-is-an-answer": Requirement(
        "That no case is similar enough is an answer; that there are no cases is an error.",
        "memory/cases.md",
    ),
    "cases:equals-share-their-votes": Requirement(
        "Cases as similar as the k-th share the votes that are left: no order of storing decides.", "memory/cases.md"
    ),
    "cases:likely-outcomes-cover": Requirement(
        "With `coverage`, the outcomes that are told as likely hold the true one about as often as asked for; where "
        "that cannot be told, none is ruled out.",
        "memory/cases.md",
    ),
    "cases:structure-is-found": Requirement(
        "With `learn_structure` edges between variables that depend are found in the cases, beside those given, and "
        "told with their score.",
        "memory/cases.md",
    ),
    "cases:learned-weights-must-help": Requirement(
        "Learned weights of features are used only where they help cases that nothing was learned from.",
        "memory/cases.md",
    ),
    "cases:drift-is-told": Requirement(
        "Each step of a model tells how far all steps together have moved it.", "memory/cases.md"
    ),
    "cases:conflicts": Requirement(
        "A case id that is taken is an error, unless the call says to update the case or to keep both.",
        "memory/cases.md",
    ),
    "cases:memories-become-cases": Requirement(
        "What memories become as cases is shown with where it was read; it is stored by one write, and none twice.",
        "memory/cases.md",
    ),
    "cases:go-with-their-memory": Requirement(
        "A case that was read from a memory is forgotten, brought back and deleted for good with it.",
        "memory/cases.md",
    ),
    "cases:models-are-records": Requirement(
        "A model is created, listed, shown, removed, exported and undone as one event each.",
        "memory/cases.md",
    ),
    "cases:nothing-half-written": Requirement(
        "What is wrong with a model or a case is told with what was expected, and nothing is written.",
        "memory/cases.md",
    ),
    "cases:transform-is-undone": Requirement(
        "A step of a model shows in the next prediction, and undo takes it back.",
        "memory/cases.md",
    ),
    "cases:pictures-stay-inside": Requirement(
        "Pictures are written inside the folder of pictures alone, and are the same bytes for the same model.",
        "memory/cases.md",
    ),
    "cases:adaptation-shows-its-rule": Requirement(
        "A number that is adapted from the nearest case comes with the rule that made it.",
        "memory/cases.md",
    ),
    "cases:answers-say-status": Requirement(
        "Answers of the tools of models have a status, and errors are failures with their message as a text.",
        "memory/cases.md",
    ),
    # store: the log, locks, damage
    "store:records-are-events": Requirement(
        "A record is written, changed and removed by events, which are undone, replayed, verified and fed as those of "
        "memories.",
        "memory/data-model.md",
    ),
    "store:record-names": Requirement(
        "Among the live records of one kind that share a scope a name is had once, also after an undo.",
        "memory/data-model.md",
    ),
    "store:records-are-purged": Requirement(
        "A record is deleted for good as a memory is, and the name of an agent goes from records with its last memory.",
        "memory/data-model.md",
    ),
    "store:read-only-disk": Requirement(
        "On a disk that cannot be written the memory answers and verifies, says so, and refuses writes.",
        "reliability.md",
    ),
    "store:agent-names-go": Requirement(
        "The name of an agent is in no file of the home once all its memories are deleted for good.", "quickstart.md"
    ),
    "store:a-checked-file-is-not-held-in-ram": Requirement(
        "A cache file is checked without its pages staying in the RAM of the process.", "performance.md"
    ),
    "store:purge-in-place": Requirement(
        "A permanent deletion leaves every running process as one that opens the memory now, without loading it anew.",
        "reliability.md",
    ),
    "store:effects-are-gathered": Requirement(
        "What reads leave behind is written once in five seconds or 64 reads, not with every read.", "architecture.md"
    ),
    "store:no-lock-errors": Requirement(
        "Any number of processes share a home without lock errors, permanent deletions included.", "reliability.md"
    ),
    "store:purge-is-short": Requirement(
        "A permanent deletion looks through the log, empties it and changes backups without keeping writers waiting.",
        "reliability.md",
    ),
    "verify:lost-tail": Requirement(
        "A log that ends before what was committed is reported, though it is sound in itself.", "reliability.md"
    ),
    "verify:changed-key": Requirement("`verify` names a signing key that was replaced.", "reliability.md"),
    "verify:damaged-text": Requirement(
        "A damaged byte of text is reported as damage, with what to do, by every read and by verify.", "reliability.md"
    ),
    "store:foreign-link": Requirement("A store file that links to a file of another user is refused.", "quickstart.md"),
    "verify:backups": Requirement("`verify` looks at the backups in the home directory too.", "reliability.md"),
    "server:rests": Requirement("A server over pipes that has nothing to do does not wake.", "performance.md"),
    # docs: what a person installs from
    "docs:raises": Requirement(
        "Public docstrings of kernels, store and embed name the errors of a function, and kernels their source.",
        "architecture.md",
    ),
    "docs:kernels-run": Requirement(
        "The page of every kernel family has code that runs and checks its answer.",
        "kernels/index.md",
    ),
    "docs:install-lines": Requirement(
        "Every line that installs or connects the server names what exists, and what it starts answers.",
        "deploy/deploy.md",
    ),
    "docs:deploy": Requirement(
        "`server.json`, the bundle and the Dockerfile agree with the package, and what they run runs.",
        "deploy/deploy.md",
    ),
    # extractor: a language model that the user chose proposes what the rules do not read
    "extractor:off-by-default": Requirement(
        "Without the settings `extractor_url` and `extractor_model` no connection is opened, and storing waits for no "
        "model.",
        "memory/models.md",
    ),
    "extractor:endpoint": Requirement(
        "OpenAI's chat protocol and Ollama's are spoken, with a time-out and retries; an answer that is none is told.",
        "memory/models.md",
    ),
    "extractor:stays-here": Requirement(
        "Texts go to this machine alone unless `model_hosts` names the host; no redirection and no proxy is followed, "
        "and the key comes from the environment.",
        "memory/models.md",
    ),
    "extractor:each-by-itself": Requirement(
        "Each memory is asked about in a prompt of its own, quoted as data: the last stored first, of those that "
        "everybody may see and in which the rules read no claim.",
        "memory/models.md",
    ),
    "extractor:words-of-the-text": Requirement(
        "A proposal counts only if its words stand in the text of the memory; what is dropped is counted with the "
        "reason.",
        "memory/models.md",
    ),
    "extractor:sampling": Requirement(
        "A dream that writes asks the client's own model, where the user allows it, about three memories at most.",
        "agents.md",
    ),
    "extractor:in-the-background": Requirement(
        "A process that lives asks about what is stored meanwhile, one memory a round; storing does not wait, and a "
        "model that does not answer is left alone for ten minutes.",
        "memory/models.md",
    ),
    "extractor:less-than-rules": Requirement(
        "Facts and briefings name the model behind what it proposed, a claim of the rules wins against it, and aliases "
        "that were proposed come last.",
        "memory/models.md",
    ),
    "extractor:marked-and-undone": Requirement(
        "What counts is marked with the name of the model, one write a memory, which undo takes back to the byte and "
        "nobody repeats; it is exported, and goes with the memory.",
        "memory/models.md",
    ),
    # sampling: the client's own model
    "sampling:allowed-and-offered": Requirement(
        "It is asked only where the setting `sampling` allows it, the client offers it in its handshake, and the "
        "revision of the protocol has it.",
        "agents.md",
    ),
    "sampling:quoted-as-data": Requirement(
        "What is sent is the task and the findings of the report, quoted as data with their sources.",
        "agents.md",
    ),
    "sampling:a-section-of-its-own": Requirement(
        "The report stays as it is, and a section behind it says which model wrote it.", "agents.md"
    ),
    "sampling:citations-are-checked": Requirement(
        "A sentence that names no source of the report, or something else, is left out and counted.", "agents.md"
    ),
    "sampling:never-in-the-way": Requirement(
        "Where the model refuses, says nothing that can be read, or does not answer in time, the report comes without "
        "it, and `note` says why.",
        "agents.md",
    ),
    "sampling:one-at-a-time": Requirement(
        "One question to a client is open at a time, four of a server; the connection goes on meanwhile.", "agents.md"
    ),
    "sampling:over-http": Requirement(
        "Over HTTP the question goes out on the response of the call that it belongs to, else on the stream of the "
        "session; the answer is POSTed in the session.",
        "http.md",
    ),
    # http: the server over HTTP
    "http:every-revision": Requirement(
        "Over HTTP every revision since 2025-03-26 is spoken at one address, with all that it has over pipes.",
        "http.md",
    ),
    "http:conformance": Requirement(
        "The public suite passes in every scenario that applies; those that do not are named with the reason.",
        "http.md",
    ),
    "http:foreign-clients": Requirement(
        "Clients that others wrote list and call every tool, read resources and get prompts, over pipes and over HTTP.",
        "http.md",
    ),
    "http:legacy-sse": Requirement(
        "Clients of 2024-11-05 are served over SSE where that is asked for, and nowhere else.",
        "http.md",
    ),
    "http:many-clients": Requirement("Fifty clients store and search at once, and nothing is lost.", "http.md"),
    "http:host-and-origin": Requirement(
        "A request whose `Host` is no name of the server, or whose `Origin` is a foreign page, is refused with 403.",
        "http.md",
    ),
    "http:statuses": Requirement(
        "A request that is wrong is refused with the status that the transport has for it, and is told what "
        "was expected.",
        "http.md",
    ),
    "http:headers-repeat-the-body": Requirement(
        "Headers of 2026-07-28 that differ from the body are refused with -32020.",
        "http.md",
    ),
    "http:leaving-cancels": Requirement("Who leaves a response of 2026-07-28 cancels its call.", "http.md"),
    "http:tokens-are-needed": Requirement("From the first token made on nothing is answered without one.", "http.md"),
    "http:scopes": Requirement(
        "A tool that writes needs a token of scope `write`, also by way of `use_tool`.",
        "http.md",
    ),
    "http:sessions-have-owners": Requirement(
        "A session belongs to the first who calls in it; another one who names it is refused.",
        "http.md",
    ),
    "http:no-argument-widens": Requirement(
        "Who writes is decided by the token: an argument that names somebody else is refused.",
        "http.md",
    ),
    "http:revoked-at-once": Requirement(
        "A token that is revoked opens nothing from then on, on servers that run too.",
        "http.md",
    ),
    "http:tokens-are-hashed": Requirement(
        "Tokens are kept as hashes, in a file that its owner alone may read.",
        "http.md",
    ),
    "http:rest": Requirement("REST answers with the same tools as MCP.", "http.md"),
    "http:openapi": Requirement("The OpenAPI page is generated from the models of the tools.", "http.md"),
    "http:ends-whole": Requirement(
        "A signal ends the server within a second, its streams are told, and the store is whole.",
        "http.md",
    ),
    "http:loopback-or-token": Requirement("Beyond loopback the server does not start without a token.", "http.md"),
    "http:back-pressure": Requirement(
        "What is too much at once is refused with 429 or 503 and `Retry-After`.",
        "http.md",
    ),
    # server: the protocol
    "http:timeline": Requirement("The timeline shows a caller what tools show that caller.", "http.md"),
    # page: what a person sees in a browser
    "page:view": Requirement(
        "`context-graph view` serves the page to this machine alone, on a free port, until it is interrupted.",
        "page.md",
    ),
    "page:served-with-a-policy": Requirement(
        "Every file of the page comes with a policy under which only what this server sends is run or read.", "page.md"
    ),
    "page:nothing-from-elsewhere": Requirement("The page asks no other server for anything.", "page.md"),
    "page:tokens": Requirement(
        "From the first token made on the page asks for one; its files hold no memory and are open.", "page.md"
    ),
    "page:hostile-memories": Requirement("What a memory says is text on the page, and nothing of it runs.", "page.md"),
    "page:models": Requirement(
        "The page draws models as `visualize_model` does: network, cases in two dimensions, prior and posterior.",
        "page.md",
    ),
    "page:large-stores": Requirement("Of 100,000 memories only the rows that are seen exist in the page.", "page.md"),
    "page:keyboard": Requirement("All of the page can be reached and used without a mouse.", "page.md"),
    "page:follows": Requirement(
        "What another client writes while the page is open is offered or shown, and the reader's place stays; a client "
        "hears only of what it may see.",
        "page.md",
    ),
    "page:filters": Requirement(
        "Timeline and search are narrowed by day, kind, project, speaker and state, also by keys and on a phone.",
        "page.md",
    ),
    "page:undone": Requirement("What is forgotten on the page is brought back on the page.", "page.md"),
    # cli: the terminal
    "terminal:no-escapes": Requirement(
        "Stored text that a command prints cannot command the terminal or turn the order of what is read.",
        "reliability.md",
    ),
    "server:light-start": Requirement(
        "The server speaks the protocol itself: it loads no package of the protocol, no event loop and no model "
        "runtime for the base tier.",
        "architecture.md",
    ),
    "server:never-hangs": Requirement(
        "Every tool answers while others store, forget and delete for good: locks are taken in one order.",
        "reliability.md",
    ),
    "server:stuck-calls-are-reported": Requirement(
        "A call that takes longer than 20 s is reported once on stderr, with what each thread does.", "reliability.md"
    ),
    "server:every-line-is-answered": Requirement(
        "A line that is no request is answered with a parse error or an invalid request, under the id that it names.",
        "reliability.md",
    ),
    "server:back-pressure": Requirement(
        "A client that never reads its answers is not read from: what waits for it is bounded.", "reliability.md"
    ),
    "server:progress": Requirement(
        "A call whose request has a progress token is told of in notifications that rise, at most four a second.",
        "agents.md",
    ),
    "server:cancelled-calls-stop": Requirement(
        "A call that is cancelled stops at the next stage of its work, unless it has begun to write.", "agents.md"
    ),
    "server:resources": Requirement("Resources are listed and read in every revision of the protocol.", "resources.md"),
    "server:resource-errors": Requirement(
        "A URI that leads nowhere is refused with the code of the revision, and is told what was expected.",
        "resources.md",
    ),
    "server:prompts": Requirement("Prompts are listed and filled in every revision of the protocol.", "resources.md"),
    "server:completion": Requirement(
        "Completion suggests names, ids and sessions that the caller may see, and no others.", "resources.md"
    ),
    "server:updates": Requirement(
        "Who subscribes to a resource hears when a call, another process or an edit has changed it, in every revision.",
        "resources.md",
    ),
    "server:updates-are-gathered": Requirement(
        "Changes that follow each other within a tenth of a second are told of once.", "resources.md"
    ),
    "server:logs": Requirement(
        "Up to 2025-11-25 a client that sets a level gets records from it on, without secrets, at most 20 a second.",
        "resources.md",
    ),
    "server:values-once": Requirement(
        "An answer goes out once to a client of a revision before 2025-06-18 and to one that says it reads structure, "
        "to others as structure and as text.",
        "tools.md",
    ),
    "server:output-schemas": Requirement(
        "Where a few tools were chosen by name they are listed with output schemas, which their answers keep.",
        "tools.md",
    ),
    "server:hostile-uris": Requirement(
        "Whatever stands in a URI, an argument of a prompt or a word to complete is answered or refused in words, and "
        "changes nothing.",
        "resources.md",
    ),
    # prompts: what a person picks
    "prompts:calls-exist": Requirement(
        "Every call that a prompt names is one that a tool takes, with the arguments that it needs.", "resources.md"
    ),
    "prompts:quote-what-others-wrote": Requirement(
        "Text of a person or of the store stands in a prompt as a quotation, line by line.", "resources.md"
    ),
    # resources: what a host reads by its URI
    "resources:as-visible-as-in-tools": Requirement(
        "A resource shows a caller what tools show that caller, and no memory of another session or conversation.",
        "resources.md",
    ),
    "resources:sessions-are-not-opened-by-naming": Requirement(
        "A session opens to a connection whose calls were made in it, and to no other that names it in a URI.",
        "resources.md",
    ),
    "resources:labels-are-only-labels": Requirement(
        "A label of a map is text to Mermaid, to D3 and to a page, whatever was stored.", "resources.md"
    ),
    # cli: the terminal
    # inference: what follows from what is stated
    "inference:strongest-path": Requirement(
        "A path has the largest product of effective weights, each at most 1, of all paths of so many edges.",
        "memory/reasoning.md",
    ),
    "inference:rests-on-what-holds": Requirement(
        "An edge counts as long as a memory states it that is live, valid now and visible to the caller.",
        "memory/reasoning.md",
    ),
    "inference:one-thing-in-all-its-forms": Requirement(
        "Concepts whose names differ only in inflection, articles and case are one thing.", "memory/reasoning.md"
    ),
    "inference:sources-are-named": Requirement(
        "Answers name the memories behind each step of a path.", "memory/reasoning.md"
    ),
    "inference:none-is-an-answer": Requirement(
        "Where there is no path, the answer says so, and whether another search finds one.", "memory/reasoning.md"
    ),
    "inference:plans-run-as-returned": Requirement(
        "Every step of a plan runs with the arguments that it was returned with.", "memory/reasoning.md"
    ),
    "inference:kinds-are-transitive": Requirement(
        "What is a kind of what follows over any number of statements, and each answer names them.",
        "memory/reasoning.md",
    ),
    "inference:cones-are-trained-to-the-order": Requirement(
        "Coordinates are trained until the cones hold just what the statements entail, or the rounds are over; the "
        "statements decide.",
        "memory/reasoning.md",
    ),
    "inference:unknown-is-an-answer": Requirement(
        "What no memory states is unknown, which is an answer of its own and no denial.", "memory/reasoning.md"
    ),
    "inference:asks-what-settles-most": Requirement(
        "`epistemic_action` asks what disagrees until it is settled, and else what the fewest memories name.",
        "memory/reasoning.md",
    ),
    "inference:exact-not-guessed": Requirement(
        "What is seen, done and imagined is computed exactly from the causal statements, as trying every case would.",
        "memory/reasoning.md",
    ),
    "inference:five-directions": Requirement(
        "`omni_infer` concludes in five directions, and without one in that which teaches more.", "memory/reasoning.md"
    ),
    # verification: proofs about code
    "verification:proofs-hold": Requirement(
        "What is proved of a function holds in every run of it.", "memory/reasoning.md"
    ),
    "verification:refuted-by-arguments": Requirement(
        "What is refuted fails with the arguments that the answer names.", "memory/reasoning.md"
    ),
    "verification:loops-end": Requirement(
        "That a loop never ends is told from that no proof of its end was found.", "memory/reasoning.md"
    ),
    "verification:outside-is-said": Requirement(
        "Code outside of what proofs are about is not applicable, with the line and the reason.", "memory/reasoning.md"
    ),
    "verification:kept-by-hash": Requirement(
        "A verdict is kept by the hash of what was asked, and not where the time ran out.", "memory/reasoning.md"
    ),
    "curation:restored-by-id": Requirement(
        "`restore_concept` brings a forgotten node back by its id, with its edges, to who may see it.",
        "memory/reasoning.md",
    ),
    # python: Memory in a program
    "python:texts-and-fields": Requirement(
        "`remember` and `recall` take a text with fields, and mean what a `Draft` or `Question` with them means.",
        "python.md",
    ),
    "python:instants-are-datetimes": Requirement(
        "An instant goes in and comes out as a datetime; without a zone it is taken as UTC, and out it is in UTC.",
        "python.md",
    ),
    "python:callers-see-their-own": Requirement(
        "A memory that a caller may not see is unknown to every verb that names it.", "python.md"
    ),
    "python:lists-in-pages": Requirement(
        "`list` goes from the last stored to the first in pages that do not move while others store.", "python.md"
    ),
    "python:forgetting-is-soft": Requirement(
        "`forget` puts a memory into the trash, from where `undo` brings it back.", "python.md"
    ),
    "python:undo-goes-back-step-by-step": Requirement(
        "`undo()` takes back the last write of this session that stands, and called again the one before.", "python.md"
    ),
    "python:results-show-themselves": Requirement(
        "Each result has a repr of one short line, data for JSON, and a table in notebooks in which stored text is "
        "never markup.",
        "python.md",
    ),
    "python:misuse-is-told": Requirement(
        "A wrong argument is an error that says what was expected and what came, and nothing is stored.", "python.md"
    ),
    "python:async-verbs": Requirement(
        "`AsyncMemory` has each verb as a coroutine of the same arguments, which a worker thread runs.", "python.md"
    ),
    "python:adapters": Requirement(
        "The adapters work with the packages of LangChain, LlamaIndex and the OpenAI Agents SDK, offline; without "
        "them, importing an adapter says what to install.",
        "python.md",
    ),
    # kernels
    "kernels:k-is-bounded-by-what-there-is": Requirement(
        "A k beyond what there is is padded, and one whose padded answer would have more than 2^24 entries is refused, "
        "before anything is allocated.",
        "kernels/index.md",
    ),
    "architecture:one-reader-of-events": Requirement(
        "The feed of the store alone reads what an event changed and named: nobody above it knows its JSON form.",
        "architecture.md",
    ),
    "architecture:values-have-nouns": Requirement(
        "A value that lives longer than five lines is named by a noun, and a limit is `MAX_` or `MIN_` with one "
        "meaning in the package.",
        "architecture.md",
    ),
    "architecture:store-behind-ports": Requirement(
        "Whoever is above the store takes its ports and public names; SQLite is known in `store/sqlite/` alone.",
        "architecture.md",
    ),
    "architecture:registered-views": Requirement(
        "A view is one file and one import line: the runtime makes every registered view, feeds it each event, and has "
        "it let go of what is deleted for good.",
        "architecture.md",
    ),
    "architecture:a-space-is-one-file": Requirement(
        "An optional space is one file and one import line: encoding, packing and scoring stand in it, and index, "
        "cache, store, export and search iterate over the registered spaces.",
        "architecture.md",
    ),
    "architecture:registered-tasks": Requirement(
        "A task is one file and one import line: one loop runs what is due, within the budget of the task, goes on "
        "after a failure, which it logs once, and stops when the memory is closed.",
        "architecture.md",
    ),
    "architecture:one-process-at-a-time": Requirement(
        "A task with a lease runs in one process at a time; a process that dies loses it.",
        "architecture.md",
    ),
    "architecture:no-circle": Requirement(
        "No file of the package imports itself by way of others, and none imports what lies above it.",
        "architecture.md",
    ),
    "kernels:search-beside-append": Requirement(
        "A search beside an append answers for the rows of one moment: those before it, or those after it.",
        "kernels/index.md",
    ),
    "kernels:cuda-is-usable-where-a-kernel-runs": Requirement(
        "The backend `cuda` is usable where a kernel of the build runs on the device, and says why where none "
        "does; torch tensors there go to Triton.",
        "kernels/index.md",
    ),
    "kernels:a-call-waits-once-or-not-at-all": Requirement(
        "A call on a GPU runs on the stream of its arrays or a given one, takes its memory from a pool, and waits "
        "once, at its end; without checks it does not wait, and a CUDA graph can capture it.",
        "kernels/device.md",
    ),
    "kernels:no-thread-races": Requirement(
        "No thread of a CUDA kernel races with another, in any tile of its block.",
        "kernels/index.md",
    ),
    "kernels:mutants-are-caught": Requirement(
        "A mistake put into a CUDA kernel (tests/cuda/mutants.toml) is seen by a test of behaviour.",
        "kernels/index.md",
    ),
    "kernels:a-name-costs-nothing": Requirement(
        "Naming a backend on the CPU or a number of threads leaves a call on its short way.",
        "kernels/index.md",
    ),
    "kernels:backends-refuse-alike": Requirement(
        "What one backend refuses all refuse: masked arrays, scores and sums that float32 cannot hold, counts that are "
        "no integers, curvatures beyond 1e-20 and 1e20.",
        "kernels/index.md",
    ),
    "kernels:save-and-load": Requirement(
        "Every `Index` is saved to one file, whole or not at all, and loaded on any backend with the same answers; on "
        "the CPU large arrays are mapped.",
        "kernels/index.md",
    ),
    "kernels:files-are-data": Requirement(
        "A file that is no index, not whole, or whose lists lead out of their arrays is refused; nothing in it is run.",
        "kernels/index.md",
    ),
    "texts:bm25": Requirement(
        "`Bm25` ranks texts by the package's stems or a callable's terms as bm25s does with Lucene's method, is saved "
        "and loaded, and is searched beside appends.",
        "kernels/sparse.md",
    ),
    "library:c-interface": Requirement(
        "Every function of the C interface answers with the bits of Python's on each CPU backend.",
        "kernels/library.md",
    ),
    "library:errors-are-codes": Requirement(
        "What the C interface refuses is a status code and a message that says what was expected and what came; no "
        "exception crosses it.",
        "kernels/library.md",
    ),
    "library:dispatch": Requirement(
        "The library answers with the fastest backend that is usable, unless a call or CONTEXT_GRAPH_BACKEND names "
        "another; one that is not usable is an error.",
        "kernels/library.md",
    ),
    "library:one-version": Requirement(
        "The headers, the library, the CMake package and the pkg-config file have the version of the Python package.",
        "kernels/library.md",
    ),
    "library:headers": Requirement(
        "Each C++ header stands alone in C++17, the C headers in C11 and C++17.",
        "kernels/library.md",
    ),
    "library:installed": Requirement(
        "Programs in C and C++ outside of the repository find the library of an installation by CMake and by "
        "pkg-config, link it, and print Python's answers.",
        "kernels/library.md",
    ),
    "knowledge:documents": Requirement(
        "Each Markdown file is one document with its title, type, status, tags, front matter and links both ways.",
        "knowledge.md",
    ),
    "knowledge:incremental": Requirement(
        "An incremental run parses only what changed, counts what was added, changed, moved, removed and left alone, "
        "and writes nothing where nothing changed.",
        "knowledge.md",
    ),
    "knowledge:errors-per-file": Requirement(
        "A file that cannot be read is told by its path and leaves the others alone.",
        "knowledge.md",
    ),
    "knowledge:inside-the-project": Requirement(
        "Only what lies inside the project is read: a path or a link that leads out of it is not followed.",
        "knowledge.md",
    ),
    "knowledge:passages": Requirement(
        "The passages of documents are memories, which search_graph finds with path and line.",
        "knowledge.md",
    ),
    "knowledge:first-the-graph": Requirement(
        "Without a graph each question about documents says how to make one.",
        "knowledge.md",
    ),
    "knowledge:measures": Requirement(
        "Density, components, degree centrality, PageRank, ways and neighbourhoods are those of networkx.",
        "knowledge.md",
    ),
    "knowledge:vectors": Requirement(
        "A vector of 1,536 finite numbers is created or updated under its id and namespace, and found by its cosine.",
        "knowledge.md",
    ),
    "knowledge:cache": Requirement(
        "An answer that was given before is given again as long as the documents are the same.",
        "knowledge.md",
    ),
    "knowledge:audit": Requirement(
        "The log is read by time and type, and repeats no memory.",
        "knowledge.md",
    ),
    "knowledge:checkpoint": Requirement(
        "A checkpoint signs the height of the log, the root over its events and the root of the state they led to.",
        "knowledge.md",
    ),
    "knowledge:no-peers": Requirement(
        "Where no peer is configured, the state of this store alone is told.",
        "knowledge.md",
    ),
    "knowledge:agents": Requirement(
        "An agent is a fixed job; no language model is behind it, and each answer says so; what cannot be done is "
        "refused.",
        "knowledge.md",
    ),
    "knowledge:agents-run-no-code": Requirement(
        "Code is read as text, by a process of its own with limits, without a network and without the right to write a "
        "file: nothing of the project is imported or run.",
        "knowledge.md",
    ),
    "knowledge:agents-in-the-project": Requirement(
        "A task that names a path keeps to it; one outside the project is refused, and links out of it are not "
        "followed.",
        "knowledge.md",
    ),
    "knowledge:agents-cite": Requirement(
        "What an agent says has its source: a path with a line, or the tag of a memory.",
        "knowledge.md",
    ),
    "knowledge:analyst": Requirement(
        "The complexity of a function is that of radon.",
        "knowledge.md",
    ),
    "knowledge:architect": Requirement(
        "Circles and layers of imports are those of networkx; the drawing is Mermaid, whatever files are called.",
        "knowledge.md",
    ),
    "knowledge:tester": Requirement(
        "Skeletons of tests run as they are, each skipped by its name.",
        "knowledge.md",
    ),
    "knowledge:coder": Requirement(
        "A patch is never applied, applies with `git apply`, and leaves code that parses.",
        "knowledge.md",
    ),
    "knowledge:queue": Requirement(
        "Of the agents that wait, the most urgent runs first; one whose call is cancelled ends without a result.",
        "knowledge.md",
    ),
    "knowledge:sections": Requirement(
        "A document is complete by four parts: overview, requirements, acceptance criteria, technical specification.",
        "knowledge.md",
    ),
    "knowledge:plans": Requirement(
        "The plan is the cheapest one that leads to the goal; it is shown before it runs, and runs with `autoStart` "
        "alone.",
        "knowledge.md",
    ),
    "knowledge:watch": Requirement(
        "While a folder is watched, a changed document is in the graph within a second.",
        "knowledge.md",
    ),
    "knowledge:chains": Requirement(
        "The calls of tools in a session, one after the other, are a trajectory with steps, durations and success.",
        "knowledge.md",
    ),
    "knowledge:chains-say-nothing": Requirement(
        "Of a call its tool is kept, its time and whether it failed, and nothing of what was asked or answered.",
        "knowledge.md",
    ),
    "knowledge:chains-off": Requirement(
        "With the setting `trajectories` false, no call is kept.",
        "knowledge.md",
    ),
    "knowledge:patterns": Requirement(
        "A pattern is a sequence of two to five actions that occurs at least three times, with a confidence of "
        "min(1, n/10).",
        "knowledge.md",
    ),
    "knowledge:client": Requirement(
        "A call that takes longer than `timeout` seconds is given up and cancelled.",
        "knowledge.md",
    ),
    "knowledge:restart": Requirement(
        "A workflow or an agent that a process left is taken up again behind its last step, or fails with its reason.",
        "knowledge.md",
    ),
    "reasoning:habits": Requirement(
        "`habits` are the tools that are called one after the other again and again, first what the last calls begin.",
        "memory/reasoning.md",
    ),
    "knowledge:trajectories": Requirement(
        "Trajectories are written step by step, while agents and workflows run.",
        "knowledge.md",
    ),
    # sync: homes that know each other
    "sync:homes-converge": Requirement(
        "Homes that have told each other everything have the same shared state, whatever was written meanwhile, "
        "delivered late, twice or in another order.",
        "sync.md",
    ),
    "sync:found-at-once": Requirement("A memory that came from another home is found by the next question.", "sync.md"),
    "sync:the-later-write-wins": Requirement(
        "Of two writes of one field the later stands in all homes; other fields of the same memory keep what was "
        "written to them.",
        "sync.md",
    ),
    "sync:relayed": Requirement("A home that is reached by way of another one gets everything too.", "sync.md"),
    "sync:purge-travels": Requirement(
        "What is deleted for good in one home is deleted for good in all, and nothing brings it back.", "sync.md"
    ),
    "sync:private-stays": Requirement(
        "Memories of a session leave only where both homes share that scope, those of a conversation never.", "sync.md"
    ),
    "cli:release": Requirement(
        "A person lets a memory out of quarantine by the command line, and no tool of an agent does.", "quickstart.md"
    ),
    "sync:quarantine": Requirement(
        "What reads like an instruction to an agent waits in quarantine in the home that receives it, whatever the "
        "sender says of it, and goes no further.",
        "sync.md",
    ),
    "sync:mass-deletion-stops": Requirement(
        "A peer that would take away more than a set share of the memories within a day is stopped until the user lets "
        "it.",
        "sync.md",
    ),
    "sync:unknown-refused": Requirement(
        "What is signed by another key than the pinned one, was changed, came before, is too old or too long changes "
        "nothing.",
        "sync.md",
    ),
    "sync:bad-clock-refused": Requirement(
        "A write that is dated more than ten minutes ahead is refused, with all that came with it.", "sync.md"
    ),
    "sync:addresses": Requirement(
        "Only this machine and hosts that the settings name are spoken to, and no redirection is followed.", "sync.md"
    ),
    "sync:own-token": Requirement(
        "A token of scope `sync` opens the path of synchronisation and nothing else.", "sync.md"
    ),
    "sync:folder": Requirement(
        "Through a shared folder homes converge as well; a file that is half there is told and tried again.", "sync.md"
    ),
    "sync:killed": Requirement(
        "Processes that are killed while they exchange, over lines that delay and break, converge all the same.",
        "sync.md",
    ),
    "sync:status": Requirement(
        "`kg_sync_status` tells of each peer how it goes, when it was met last and what went wrong.", "sync.md"
    ),
}


def requirement(name: str) -> Callable[[Test], Test]:
    """Say which promise a test keeps."""
    if name not in REQUIREMENTS:
        raise KeyError(f"{name!r} is not in tests/requirements.py; add it there with its page")
    return lambda test: test
