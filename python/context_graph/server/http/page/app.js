// The page of a memory. What memories say is only ever set as text: nothing here reads HTML, and no address is theirs.
"use strict";

const API = "/api/v1";
const ROW = 78, PAGE = 100, SPARE = 8, KEPT_PAGES = 30; // pixels of a row, rows of a page, rows beyond the edge
const TYPING_MS = 180, SETTLE_MS = 50, DRAWN = 12, SHOWN_CHARS = 20_000;

const $ = (id) => document.getElementById(id);
const list = $("list"), article = $("memory"), query = $("query"), status = $("status");

// Text: what turns the order of reading, or is not seen, is spelled out.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;
const spelled = (text) =>
  String(text).replace(UNSEEN, (sign) => `⟨${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
const short = (text, most) => {
  const signs = [...spelled(text).replace(/\s+/gu, " ")];
  return signs.length > most ? signs.slice(0, most - 1).join("") + "…" : signs.join("");
};
const day = (moment) => new Date(moment).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
const minute = (moment) => new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** An element with attributes, listeners (on...) and children, which are elements or text. */
function made(name, attributes = {}, ...children) {
  const svg = ["svg", "line", "circle", "rect", "path", "polygon", "text", "g", "title"].includes(name) || attributes.svg;
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key !== "svg" && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(spelled(child)))));
  return element;
}
const button = (text, does, attributes = {}) => made("button", { type: "button", onclick: does, ...attributes }, text);
const place = (id) => `#/memory/${encodeURIComponent(id)}`;

// Requests

let entering = null;

async function call(path, body, { signal, raw = false } = {}) {
  for (;;) {
    const token = sessionStorage.getItem("token");
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": "application/json" }) };
    let response;
    try {
      response = await fetch(API + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error("the server does not answer; is it still running?");
    }
    if (response.status === 401) {
      await admitted(token !== null);
      continue;
    }
    if (response.ok) watch();
    if (response.ok && raw) return response.blob();
    const values = await response.json();
    if (body && response.ok && !["/recall", "/search", "/infer"].includes(path)) wrote = Date.now();
    if (response.ok) return values;
    const { message, hint } = values.error;
    throw new Error(hint ? `${message}; ${hint}` : message);
  }
}

/** Ask for a token, once for all requests that wait for it. */
function admitted(wrong) {
  entering ??= new Promise((resolve) => {
    $("refused").textContent = wrong ? "That token is not known here; it may be revoked." : "";
    $("token").value = "";
    $("admission").onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem("token", $("token").value.trim());
      $("entrance").close();
      entering = null;
      resolve();
    };
    $("entrance").showModal();
  });
  return entering;
}
$("entrance").addEventListener("cancel", (event) => event.preventDefault());

function tell(text, undo) {
  $("told").textContent = spelled(text);
  $("undo").hidden = !undo;
  $("undo").onclick = undo ?? null;
  $("notice").hidden = false;
  if (undo) $("undo").focus();
}
$("dismiss").addEventListener("click", () => { $("notice").hidden = true; });

/** Do something and say what went wrong, if anything. */
async function attempt(does) {
  try {
    return await does();
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message);
    return undefined;
  }
}

// The timeline: rows that are seen exist, the others are only height.

const timeline = { total: 0, past: 0, pages: new Map(), rows: null, asked: new Map() };
const dayNow = made("span"); // of the first row that is seen

function showTimeline() {
  offer();
  timeline.pages.clear();
  timeline.asked.clear();
  const rows = made("ol", { class: "rows", "aria-label": "Memories by day" });
  timeline.rows = rows;
  rows.style.height = `${timeline.total * ROW}px`; // so that the place in the list stays
  list.replaceChildren(made("p", { class: "now", "aria-hidden": "true" }, dayNow), rows);
  return attempt(async () => {
    await pageOf(0);
    const { past } = timeline;
    if (rows !== timeline.rows || !rows.isConnected) return; // something else is shown meanwhile
    const many = timeline.total.toLocaleString(), ended = past ? ` (${past.toLocaleString()} of them past)` : "";
    status.textContent = timeline.total ? `${many} ${timeline.total === 1 ? "memory" : "memories"}${ended}` : "";
    if (!timeline.total) {
      list.replaceChildren(made("p", { class: "empty" }, ...(isNarrowed() ? ["No memory fits these filters."] : ["Nothing is remembered yet. ",
        made("code", {}, "context-graph remember 'TEXT'"), " stores a memory."])));
      return;
    }
    drawRows();
  });
}

async function pageOf(number) {
  if (timeline.pages.has(number)) return timeline.pages.get(number);
  const rows = timeline.rows;
  if (!timeline.asked.has(number)) timeline.asked.set(number, call(pathOf(number * PAGE, PAGE)));
  const answer = await timeline.asked.get(number).finally(() => { if (rows === timeline.rows) timeline.asked.delete(number); });
  if (rows !== timeline.rows) return [];
  if (answer.total !== timeline.total) timeline.pages.clear(); // something was stored or forgotten, and rows moved
  timeline.total = answer.total;
  timeline.past = filters.elements.state.value ? 0 : answer.past; // of one state they are all, or none
  timeline.rows.style.height = `${answer.total * ROW}px`;
  timeline.pages.set(number, answer.memories);
  for (const old of timeline.pages.keys()) {
    if (timeline.pages.size <= KEPT_PAGES) break;
    if (Math.abs(old - number) > 3) timeline.pages.delete(old);
  }
  return answer.memories;
}

const pathOf = (offset, limit) => `/memories?${new URLSearchParams({ offset, limit, ...conditions() })}`;

/** Read what is seen again where it stands: the reader's place stays. */
async function rereadSeen() {
  const rows = timeline.rows, [first, last] = seen();
  const from = Math.floor(first / PAGE), count = Math.max(1, Math.ceil(last / PAGE) - from);
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const answers = await Promise.all(numbers.map((number) => call(pathOf(number * PAGE, PAGE))));
  if (rows !== timeline.rows || !rows.isConnected) return;
  const before = new Map(timeline.pages);
  timeline.pages.clear();
  numbers.forEach((number, index) => timeline.pages.set(number, answers[index].memories));
  for (const row of [...rows.children]) {
    const index = parseInt(row.dataset.key, 10);
    const old = before.get(Math.floor(index / PAGE))?.[index % PAGE], now = memoryAt(index);
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const focused = row.contains(document.activeElement), next = rowOf(index, `${index} ${now?.node_id ?? ""}`);
    row.replaceWith(next);
    if (focused) next.querySelector("a.entry")?.focus({ preventScroll: true });
  }
  drawRows();
}

const memoryAt = (index) => timeline.pages.get(Math.floor(index / PAGE))?.[index % PAGE];

/** The first row that is seen, and the one behind the last. */
const seen = () => [
  Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE),
  Math.min(timeline.total, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE),
];

let settling = 0;

function drawRows() {
  if (!timeline.rows?.isConnected) return;
  const [first, last] = seen();
  const top = memoryAt(Math.floor(list.scrollTop / ROW));
  dayNow.textContent = top ? day(top.occurred_at) : "";
  const wanted = new Set();
  for (let index = first; index < last; index += 1) {
    const memory = memoryAt(index);
    wanted.add(`${index} ${memory?.node_id ?? ""}`);
    if (!memory) settling ||= setTimeout(loadSeen, SETTLE_MS);
  }
  for (const row of [...timeline.rows.children]) {
    if (!wanted.delete(row.dataset.key) && !row.contains(document.activeElement)) row.remove();
  }
  for (const key of wanted) {
    const index = parseInt(key, 10);
    const after = [...timeline.rows.children].find((row) => parseInt(row.dataset.key, 10) > index);
    timeline.rows.insertBefore(rowOf(index, key), after ?? null);
  }
  markCurrent();
}

/** Load what is seen once it stays for a moment: who drags the bar passes a thousand pages. */
function loadSeen() {
  settling = 0;
  if (!timeline.rows?.isConnected) return;
  const [first, last] = seen();
  for (let number = Math.floor(first / PAGE); number * PAGE < last; number += 1) {
    if (!timeline.pages.has(number) && !timeline.asked.has(number)) attempt(() => pageOf(number)).then((page) => page && drawRows());
  }
}

function rowOf(index, key) {
  const memory = memoryAt(index), before = index ? memoryAt(index - 1) : undefined;
  const row = made("li", { class: memory?.valid_to ? "row past" : "row", "data-key": key, "aria-setsize": timeline.total, "aria-posinset": index + 1 });
  row.style.transform = `translateY(${index * ROW}px)`;
  if (!memory) return row;
  const date = day(memory.occurred_at);
  row.append(
    made("span", { class: "day" }, before && day(before.occurred_at) === date ? "" : date),
    made("a", { class: "entry", href: place(memory.node_id), "data-index": index, title: minute(memory.occurred_at) },
      made("span", { class: "about" }, made("b", {}, memory.speaker ?? ""), memory.valid_to ? made("span", { class: "mark" }, memory.speaker ? " · past" : "past") : ""),
      made("span", { class: "said", dir: "auto" }, memory.content_snippet)));
  return row;
}

let drawing = false;
list.addEventListener("scroll", () => {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; drawRows(); });
}, { passive: true });
addEventListener("resize", () => { drawRows(); if (opened) drawLinks(opened); });

// Search, as it is typed

/** Below it a result is about something else, as for `context-graph search`. */
const MIN_SHOWN_RELEVANCE = 0.05;

const PARTS = {
  words: "the words", words_pair: "the words, with the turn before", words_near: "the words around it",
  words_session: "the words of its conversation", words_like: "words of like meaning", window: "the meaning, with the turn before",
  window_near: "the meaning around it", semantic: "the meaning", late_rare: "the rare words, by meaning",
  late_pair: "by meaning, with the turn before", late_near: "by meaning, around it", feedback: "words of the best results",
  title: "its title is named", speaker: "its speaker is named", time: "the time asked about", order: "first or last of its kind",
  asks: "is a question itself", answers: "follows a question", information: "says much", when: "tells when",
  background: "a long reply", wish: "a standing wish", thread: "goes on with another", attribute: "tells this of the user",
  of_another: "tells of another person", link: "named by a result", second: "completes a result", rank: "linked with results",
};
let searching = null, typing = 0;

async function search(text) {
  searching?.abort();
  searching = new AbortController();
  offer();
  const { signal } = searching;
  status.textContent = "Searching …";
  await attempt(async () => {
    const answer = await (isNarrowed() ? call("/search", { query: text, ...conditions() }, { signal })
      : call("/recall", { query: text, top_k: 20, include_content: true, explain: true }, { signal }));
    timeline.rows = null;
    list.scrollTop = 0;
    const found = answer.results.map((result, index) => resultOf(result, index, answer.explain ?? {}));
    const unknown = found.length > 0 && answer.results.every((result) => result.similarity < MIN_SHOWN_RELEVANCE);
    list.replaceChildren(...unknown ? [made("p", { class: "empty" }, "Nothing is known of this. The nearest:")] : [],
      found.length ? made("ol", { class: "found", "aria-label": "Results" }, ...found)
        : made("p", { class: "empty" }, isNarrowed() ? "No memory matched under these filters." : "No memory matched. Ask in other words."));
    status.textContent = unknown ? "Nothing known of this" : `${found.length} ${found.length === 1 ? "result" : "results"}`;
    markCurrent();
  });
}

function resultOf(result, index, explained) {
  const marks = [result.replaced_by && "replaced by a later one", result.conflicts_with && "disputed"].filter(Boolean);
  const about = [`${Math.round(100 * result.similarity)} %`, result.occurred_at && day(result.occurred_at), result.source];
  return made("li", { class: result.replaced_by ? "past" : "" },
    made("a", { class: "entry", href: place(result.node_id), "data-index": index },
      made("span", { class: "about" }, made("b", {}, result.speaker ?? ""), result.speaker ? " · " : "",
        about.filter(Boolean).join(" · "), ...marks.map((mark) => made("span", { class: "mark" }, ` · ${mark}`))),
      made("span", { class: "said", dir: "auto" }, short(result.content ?? result.name ?? "", 600))),
    why(result, explained));
}

function why(result, explained) {
  const parts = Object.entries(explained.parts?.[result.node_id] ?? {}).filter(([, value]) => Math.abs(value) >= 0.005);
  const replaced = explained.replaced?.[result.node_id];
  if (!parts.length && !replaced) return undefined;
  parts.sort((one, other) => Math.abs(other[1]) - Math.abs(one[1]));
  const most = Math.abs(parts[0]?.[1] ?? 1);
  return made("details", {}, made("summary", {}, "Why it was found"),
    replaced && made("p", {}, `A later one seems to take its place (${Math.round(100 * replaced.confidence)} %): ${replaced.because}`),
    made("div", { class: "parts" }, ...parts.slice(0, 8).flatMap(([name, value]) => [
      made("span", {}, PARTS[name] ?? name.replaceAll("_", " ")),
      made("meter", { min: 0, max: most, value: Math.abs(value), "aria-hidden": "true" }),
      made("span", {}, value.toFixed(2)),
    ])));
}

query.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(asked, TYPING_MS);
});
$("search").addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(typing); asked(); });

function asked() {
  const text = query.value.trim();
  if (text) {
    if (view !== "timeline" || !article.hidden) location.hash = "#/";
    if (view === "timeline") search(text);
    // else the change of view searches
  } else {
    searching?.abort();
    showTimeline();
  }
}

// Filters: conditions that hold of all that the timeline and the search show

const filters = $("filters"), narrow = $("narrow");
const midnight = (value, later) => {
  const [year, month, date] = value.split("-").map(Number);
  const moment = new Date(2000, 0, 1);
  moment.setFullYear(year, month - 1, date + later);
  return moment.toISOString();
};

/** What is chosen, by the names that the server has for it. */
function conditions() {
  const chosen = {};
  for (const name of ["modality", "project", "speaker", "state"]) if (filters.elements[name].value) chosen[name] = filters.elements[name].value;
  const { first, last } = filters.elements;
  if (first.value) chosen.occurred_from = midnight(first.value, 0);
  if (last.value) chosen.occurred_before = midnight(last.value, 1);
  return chosen;
}
const isNarrowed = () => Object.keys(conditions()).length > 0;

function filtered() {
  const many = Object.keys(conditions()).length;
  narrow.textContent = many ? `Filter (${many})` : "Filter";
  narrow.classList.toggle("on", many > 0);
  list.scrollTop = 0;
  if (view === "timeline") refresh();
}

async function openFilters() {
  filters.hidden = false;
  narrow.setAttribute("aria-expanded", "true");
  filters.elements.first.focus();
  const offered = await attempt(() => call("/choices"));
  if (!offered) return;
  for (const [name, values] of [["modality", offered.modalities], ["project", offered.projects], ["speaker", offered.speakers]]) {
    const select = filters.elements[name], { value } = select;
    const all = value && !values.includes(value) ? [value, ...values] : values;
    select.replaceChildren(select.options[0], ...all.map((one) => made("option", { value: one }, short(one, 60))));
    select.value = value;
  }
}

function closeFilters() {
  filters.hidden = true;
  narrow.setAttribute("aria-expanded", "false");
  narrow.focus();
}

narrow.addEventListener("click", () => (filters.hidden ? openFilters() : closeFilters()));
filters.addEventListener("change", filtered);
filters.addEventListener("submit", (event) => event.preventDefault());
$("widen").addEventListener("click", () => { filters.reset(); filtered(); });

// What others write while the page is open

const RETRY_MS = 1_000, MAX_RETRY_MS = 30_000, OWN_MS = 4_000;
let watching = null, wrote = 0, shown = "";

/** Hear of writes as long as the page is seen; a stream that ends is opened again, later each time it fails. */
async function watch() {
  if (watching || document.hidden) return;
  const { signal } = (watching = new AbortController());
  for (let wait = RETRY_MS, missed = false; !signal.aborted; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
    try {
      const token = sessionStorage.getItem("token");
      const response = await fetch(`${API}/watch`, { headers: token ? { Authorization: `Bearer ${token}` } : {}, signal });
      if (response.ok) {
        if (missed) heard(null);
        wait = RETRY_MS;
        await listen(response.body.getReader());
      } else if ([401, 403].includes(response.status)) {
        watching = null; // the next request that is let in begins anew
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
    }
    missed = true;
    await new Promise((done) => { setTimeout(done, wait); });
  }
}

async function listen(reader) {
  const decoder = new TextDecoder();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split("\r\n\r\n");
    text = events.pop();
    for (const event of events) {
      const data = event.startsWith("event: message") && /^data: (.*)$/mu.exec(event);
      if (data) {
        const { nodes, all } = JSON.parse(data[1]);
        heard(all ? new Set(nodes) : null);
      }
    }
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    watching?.abort();
    watching = null;
  } else {
    watch();
    heard(null);
  }
});

/** Offer to show something, for when the reader wants it; without a text, offer nothing. */
function offer(text, does) {
  $("news").replaceChildren(...(text ? [button(text, () => { offer(); does(); })] : []));
}
const counted = (many, what) => `${many.toLocaleString()} ${what} ${many === 1 ? "memory" : "memories"}`;

/** Some memories were written, these or (null) any: what is seen follows in its place, and what would move it is offered. */
async function heard(nodes) {
  try {
    if (opened && (!nodes || nodes.has(opened.node_id))) await rereadOpened();
    if (view !== "timeline") return await rereadList();
    questions();
    if (query.value.trim()) {
      if (Date.now() - wrote > OWN_MS) offer("Memories have changed: search again", () => search(query.value.trim()));
      return undefined;
    }
    const rows = timeline.rows, { total } = await call(pathOf(0, 1)), more = total - timeline.total;
    if (rows !== timeline.rows || !rows) return undefined;
    if (!timeline.total || !rows.isConnected) return more ? await showTimeline() : undefined;
    if (more) {
      const text = more > 0 ? `${counted(more, "new")}: show` : `${counted(-more, "forgotten")}: show`;
      offer(text, async () => { list.scrollTop = 0; await showTimeline(); list.querySelector("a.entry")?.focus(); });
    } else await rereadSeen();
  } catch {
    // the next news, or the reader's next step, shows it
  }
  return undefined;
}

async function rereadOpened() {
  const before = opened, own = turn;
  let whole;
  try {
    whole = await call(`/memories/${before.node_id}`);
  } catch {
    if (own === turn) offer("This memory was forgotten: close", leave);
    return;
  }
  if (own !== turn || JSON.stringify(whole) === JSON.stringify(before)) return;
  const { scrollTop } = article, within = article.contains(document.activeElement);
  opened = whole;
  article.replaceChildren(...memoryParts(whole));
  drawLinks(whole);
  article.scrollTop = scrollTop;
  if (within) article.focus({ preventScroll: true });
}

const LISTS = { questions: ["/proposals", tasksOf], trash: ["/trash", ({ total, tombstones }) => [total, tombstones]], models: ["/models", (answer) => answer.models] };

async function rereadList() {
  const [path, part] = LISTS[view], own = view, now = JSON.stringify(part(await call(path)));
  if (own === view && now !== shown) offer("This list has changed: show", refresh);
}

// One memory

let opened = null, from = null, turn = 0;

async function openMemory(id) {
  const own = (turn += 1);
  const whole = await attempt(() => call(`/memories/${id}`));
  if (own !== turn) return undefined; // another one was opened meanwhile, or the list
  if (!whole) return closeMemory();
  opened = whole;
  article.replaceChildren(...memoryParts(whole));
  article.hidden = false;
  document.querySelector("main").classList.add("open");
  article.scrollTop = 0;
  drawLinks(whole);
  drawRows();
  markCurrent();
  article.focus({ preventScroll: true });
  return undefined;
}

function closeMemory() {
  turn += 1;
  opened = null;
  article.hidden = true;
  article.replaceChildren();
  document.querySelector("main").classList.remove("open");
  markCurrent();
  drawRows();
}

const home = () => (view === "timeline" ? "#/" : `#/${view}`);

function leave() {
  const back = from;
  location.hash = home();
  requestAnimationFrame(() => (list.querySelector(`a.entry[href="${CSS.escape(back ?? "")}"]`) ?? list.querySelector("a.entry"))?.focus());
}

const section = (title, ...children) => (children.some(Boolean) ? [made("h3", {}, title), ...children] : []);

function memoryParts(whole) {
  const long = whole.content.length > SHOWN_CHARS;
  const content = made("p", { class: whole.content.length > 600 ? "content long" : "content", dir: "auto" }, whole.content.slice(0, SHOWN_CHARS));
  const rest = long && button(`Show the other ${(whole.content.length - SHOWN_CHARS).toLocaleString()} characters`, (event) => {
    content.textContent = spelled(whole.content);
    event.target.remove();
  });
  const standing = standingWrites(whole.history);
  const tags = Object.entries(whole.metadata).filter(([key]) => !["speaker", "date"].includes(key));
  const about = [
    ["Why kept", whole.rationale], ["Cited as", whole.citation_tag], ["Stored", minute(whole.created_at)], ["Agent", whole.agent_id],
    ["Importance", whole.importance.toFixed(2)], ["Scope", whole.scope !== "user" && whole.scope], ["Domain", whole.domain !== "general" && whole.domain],
    ...tags.map(([key, value]) => [key.replaceAll("_", " "), shownValue(value)]),
  ].filter(([, value]) => value);
  return [
    made("div", { class: "tools" }, button("← Back", leave, { "aria-keyshortcuts": "Escape" }),
      button("Forget", () => forget(whole), { class: "danger" })),
    made("h2", { class: "unseen" }, short(whole.name, 120)),
    whole.valid_to && made("p", { class: "banner" }, `Past since ${day(whole.valid_to)}. `,
      whole.superseded_by && made("a", { href: place(whole.superseded_by) }, "What took its place")),
    content, rest,
    made("p", { class: "byline" }, [whole.speaker, minute(whole.occurred_at)].filter(Boolean).join(" · ")),
    made("dl", {}, ...about.flatMap(([key, value]) => [made("dt", {}, key), made("dd", { dir: "auto" }, value)])),
    ...section("Claims", whole.claims.length && made("ul", { class: "plain" }, ...whole.claims.map((claim) =>
      made("li", {}, made("span", {}, `${claim.subject} — ${claim.relation} — ${claim.value}`),
        claim.proposed_by && made("small", {}, `proposed by ${claim.proposed_by}`))))),
    ...section("Notes", whole.annotations && made("ul", { class: "plain" }, ...whole.annotations.map((note) =>
      made("li", {}, made("span", {}, note.annotation), made("small", {}, `${note.annotation_type.replace("_", " ")}, ${day(note.created_at)}`))))),
    ...section("Linked", whole.linked.length && made("div", { id: "drawing" }), whole.linked.length && linksList(whole)),
    ...section("History", made("ol", { class: "plain" }, ...whole.history.map((write) =>
      made("li", {}, made("span", {}, write.agent_id ? `${write.summary}, by ${write.agent_id}` : write.summary), made("small", {}, minute(write.timestamp)),
        standing.has(write) && button("Undo", () => takeBack(write.reversal_hash), { "aria-label": `Undo: ${write.summary}` }))))),
  ].filter(Boolean);
}

const isText = (value) => typeof value === "string";
const shownValue = (value) => (isText(value) ? value : Array.isArray(value) && value.every(isText) ? value.join(", ") : JSON.stringify(value));

/** The writes that can be taken back: each restoration stands for the last one before it that it took back. */
function standingWrites(history) {
  const standing = new Set();
  let undone = 0;
  for (const write of [...history].reverse()) {
    if (write.operation === "created") {
      if (write.reversal_hash) standing.add(write); // else it would not be here
    } else if (write.operation === "restored") undone += 1;
    else if (write.reversal_hash && undone) undone -= 1;
    else if (write.reversal_hash) standing.add(write);
  }
  return standing;
}

function linksList(whole) {
  return made("ul", { class: "plain" }, ...whole.linked.map((node) => {
    const kinds = new Set(edgesOf(whole, node.node_id).map((edge) => edge.edge_type.toLowerCase()));
    return made("li", {}, made("a", { href: place(node.node_id), dir: "auto" }, short(node.content_snippet || node.name, 110)),
      made("small", {}, [...kinds].join(", ")));
  }));
}

const edgesOf = (whole, id) => whole.edges.filter((edge) => [edge.source, edge.target].includes(id) && [edge.source, edge.target].includes(whole.node_id));

/** A star: the memory in the middle, what is linked to it around, the strongest at the top. The list beside it says the same. */
function drawLinks(whole) {
  const holder = $("drawing");
  if (!holder) return;
  const around = whole.linked.slice(0, DRAWN);
  const width = Math.max(280, holder.clientWidth), height = around.length > 5 ? 330 : 220;
  const radius = Math.min(height / 2 - 24, width / 4), label = Math.floor((width / 2 - radius - 12) / 6.9);
  const at = new Map([[whole.node_id, [width / 2, height / 2]]]);
  around.forEach((node, index) => {
    const angle = (2 * Math.PI * (index + 0.5)) / around.length - Math.PI / 2;
    at.set(node.node_id, [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)]);
  });
  const lines = whole.edges.filter((edge) => at.has(edge.source) && at.has(edge.target)).map((edge) => {
    const [x1, y1] = at.get(edge.source), [x2, y2] = at.get(edge.target);
    const own = [edge.source, edge.target].includes(whole.node_id);
    return made("line", { x1, y1, x2, y2, class: own ? "own" : undefined, "stroke-width": 0.5 + 2 * Math.min(1, Math.abs(edge.w_eff)) });
  });
  const dots = around.map((node) => {
    const [x, y] = at.get(node.node_id), right = x >= width / 2;
    return made("a", { svg: true, href: place(node.node_id), tabindex: "-1" }, made("title", {}, short(node.content_snippet || node.name, 200)),
      made("circle", { cx: x, cy: y, r: 5 }),
      made("text", { x: x + (right ? 10 : -10), y: y + 4, "text-anchor": right ? "start" : "end" }, short(node.name, label)));
  });
  const [x, y] = at.get(whole.node_id);
  holder.replaceChildren(made("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": `${whole.linked.length} links, listed below` },
    ...lines, ...dots, made("circle", { class: "centre", cx: x, cy: y, r: 7 })));
}

// Changes

const forget = (memory) => attempt(async () => {
  const done = await call("/forget", { node_id: memory.node_id, reason: "user_requested" });
  location.hash = home();
  refresh();
  tell(`Forgotten: “${short(memory.content, 50)}”; undo works until ${day(done.restore_deadline)}.`, () => takeBack(done.reversal_hash));
});

/** Take back a write; or, of a memory that is named, one that is about it. */
const takeBack = (hash, id) => attempt(async () => {
  const done = await (id ? call(`/memories/${id}/undo`, { hash }) : call("/undo", { reversal_hash: hash, preview: false }));
  const gone = opened && done.removed_nodes?.includes(opened.node_id);
  const redo = gone && done.reversal_hash && (() => takeBack(done.reversal_hash));
  tell(done.conflicts.length ? `Taken back, except: ${done.conflicts.join("; ")}` : "Taken back.", redo);
  refresh();
  if (gone) location.hash = home();
  else if (opened) openMemory(opened.node_id);
});

// Questions to the user

const SAID = { yes: "Yes, it ended", no: "No, both hold", both: "Both hold", "the first": "The first holds", "the second": "The second holds" };

function tasksOf(answer) {
  return answer.curation_tasks.filter((task) => task.answers || ["merge_concepts", "forget_concept"].includes(task.suggested_tool));
}

async function questions() {
  const answer = await attempt(() => call("/proposals"));
  if (!answer) return [];
  const tasks = tasksOf(answer);
  $("open").hidden = !tasks.length;
  $("open").textContent = String(tasks.length);
  return tasks;
}

async function showQuestions() {
  const tasks = await questions();
  if (view !== "questions") return;
  shown = JSON.stringify(tasks);
  status.textContent = tasks.length ? `${tasks.length} ${tasks.length === 1 ? "question" : "questions"} to you` : "";
  list.replaceChildren(tasks.length ? made("ul", { class: "cards", "aria-label": "Questions" }, ...tasks.map(questionOf))
    : made("p", { class: "empty" }, "Nothing is open: no memories disagree."));
}

function questionOf(task) {
  const [one, other] = task.target_nodes;
  const answers = task.answers
    ? task.answers.map(({ answer, arguments: given }) => button(SAID[answer] ?? answer, () => attempt(async () => {
      const done = await call("/remember", given);
      refresh();
      tell("Noted.", done.undo_hash && (() => takeBack(done.undo_hash, done.node_id)));
    })))
    : task.suggested_tool === "merge_concepts"
      ? [button("Join them", () => attempt(async () => {
        const name = short((await call(`/memories/${one}`)).name, 200);
        const done = await call("/merge", { source_node_ids: task.target_nodes, target_name: name });
        refresh();
        tell("Joined.", done.reversal_hash && (() => takeBack(done.reversal_hash)));
      }))]
      : [button("Forget it", () => attempt(async () => forget(await call(`/memories/${one}`))), { class: "danger" })];
  return made("li", {}, made("p", { class: "ask", dir: "auto" }, task.question ?? task.reason),
    made("p", {}, made("a", { href: place(one) }, other ? "The first" : "The memory"), other ? " · " : "", other && made("a", { href: place(other) }, "The second")),
    made("div", { class: "answers" }, ...answers));
}

// Models: the network, what follows from what is seen, and the cases in two dimensions

const BOX = { height: 44, level: 96, sign: 6.6, gap: 26 }, CLOUD = { width: 560, height: 380, edge: 16 };
const MOST_COLOURS = 9, MOST_LISTED = 100;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

const showModels = () => attempt(async () => {
  const { models } = await call("/models");
  if (view !== "models") return;
  shown = JSON.stringify(models);
  status.textContent = models.length ? `${models.length} ${models.length === 1 ? "model" : "models"}` : "";
  list.replaceChildren(models.length ? made("ul", { class: "cards", "aria-label": "Models" }, ...models.map((model, index) =>
    made("li", {}, made("a", { class: "entry", href: `#/model/${model.id}`, "data-index": index },
      made("span", { class: "ask", dir: "auto" }, short(model.name, 200)),
      made("small", {}, `${KINDS[model.model_type]}${model.steps ? `, ${model.steps} ${model.steps === 1 ? "step" : "steps"}` : ""}`)))))
    : made("p", { class: "empty" }, "There are no models yet. ", made("code", {}, "create_cerebrum_model"), " makes one."));
  markCurrent();
});

const KINDS = { case_based: "Cases", bayesian: "A network", hybrid: "Cases and a network" };

async function openModel(id) {
  const own = (turn += 1);
  const model = await attempt(() => call(`/models/${encodeURIComponent(id)}`));
  if (own !== turn) return undefined;
  if (!model) return closeMemory();
  opened = null;
  article.replaceChildren(
    made("div", { class: "tools" }, button("← Back", leave, { "aria-keyshortcuts": "Escape" })),
    made("h2", { dir: "auto" }, short(model.name, 200)),
    made("p", { class: "byline" }, `${KINDS[model.model_type]}${model.steps ? `, transformed ${model.steps} ${model.steps === 1 ? "time" : "times"}` : ""}`),
    ...section("Network", model.network && drawnNetwork(model.network)),
    ...section("What follows", model.network && inference(model)),
    ...section("Cases", model.cases && drawnCases(model.cases)),
    ...section("Features", model.features && made("ul", { class: "plain" }, ...Object.entries(model.features).map(([name, feature]) =>
      made("li", {}, made("span", { dir: "auto" }, short(name, 120)), made("small", {}, `${feature.type}, weight ${feature.weight}`))))));
  article.hidden = false;
  document.querySelector("main").classList.add("open");
  article.scrollTop = 0;
  markCurrent();
  article.focus({ preventScroll: true });
  return undefined;
}

/** Variables in layers, parents above; the list below says the same. */
function drawnNetwork(network) {
  const labels = new Map(network.variables.map((one) => [one.name, [short(one.name, 24), short(one.states.map(shownValue).join(", "), 36)]]));
  const wide = Math.max(90, ...[...labels.values()].map(([name, states]) => 24 + BOX.sign * Math.max(name.length * 1.1, states.length)));
  const left = Math.min(...network.variables.map((one) => one.x)), right = Math.max(...network.variables.map((one) => one.x));
  const deepest = Math.max(...network.variables.map((one) => -one.y));
  const depth = new Map(network.variables.map((one) => [one.name, -one.y]));
  const skips = network.variables.some((one) => one.parents.some((parent) => depth.get(one.name) - depth.get(parent) > 1));
  const edge = skips ? wide : BOX.gap; // room for arrows that go around
  const width = Math.ceil((right - left) * (wide + BOX.gap) + wide + 2 * edge), height = deepest * BOX.level + BOX.height + 20;
  const at = new Map(network.variables.map((one) => [one.name, [(one.x - left) * (wide + BOX.gap) + wide / 2 + edge, -one.y * BOX.level + BOX.height / 2 + 10]]));
  const arrows = network.variables.flatMap((one) => one.parents.flatMap((parent) => {
    const [x1, y1] = at.get(parent), [x2, y2] = at.get(one.name);
    const top = y1 + BOX.height / 2, foot = y2 - BOX.height / 2 - 1;
    const between = network.variables.filter((other) => depth.get(other.name) > depth.get(parent) && depth.get(other.name) < depth.get(one.name)).map((other) => at.get(other.name));
    const free = (bend) => between.every(([x, y]) => {
      const t = (y - top) / (foot - top), on = (1 - t) * (1 - t) * x1 + 2 * t * (1 - t) * ((x1 + x2) / 2 + bend) + t * t * x2;
      return Math.abs(on - x) > wide / 2 + 4;
    });
    const bends = [0, ...Array.from({ length: 8 }, (_, index) => [-(index + 1), index + 1]).flat()].map((steps) => steps * wide * 0.4);
    const mx = (x1 + x2) / 2 + (bends.find(free) ?? 0), my = (top + foot) / 2;
    const turned = Math.atan2(foot - my, x2 - mx);
    const wing = (angle) => `${(x2 - 9 * Math.cos(turned + angle)).toFixed(1)},${(foot - 9 * Math.sin(turned + angle)).toFixed(1)}`;
    return [made("path", { class: "arrow", d: `M ${x1} ${top} Q ${mx} ${my} ${x2} ${foot}` }),
      made("polygon", { class: "head", points: `${x2},${foot} ${wing(0.4)} ${wing(-0.4)}` })];
  }));
  const boxes = network.variables.flatMap((one) => {
    const [x, y] = at.get(one.name), [name, states] = labels.get(one.name);
    return [made("rect", { class: "box", x: x - wide / 2, y: y - BOX.height / 2, width: wide, height: BOX.height, rx: 6 }),
      made("text", { class: "name", x, y: y - 4, "text-anchor": "middle" }, name),
      made("text", { class: "states", x, y: y + 13, "text-anchor": "middle" }, states)];
  });
  const fewer = network.variables.length < network.total && made("p", { class: "byline" }, `The first ${network.variables.length} of ${network.total} variables.`);
  const learned = network.learned_from > 0 && made("p", { class: "byline" }, `${network.learned_from.toLocaleString()} cases taught its tables.`);
  return made("div", {},
    made("div", { class: "wide" }, made("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${network.variables.length} variables, listed below` }, ...arrows, ...boxes)),
    fewer, learned,
    made("details", {}, made("summary", {}, "As a list"), made("ul", { class: "plain" }, ...network.variables.map((one) => made("li", {},
      made("span", { dir: "auto" }, `${short(one.name, 120)}: ${short(one.states.map(shownValue).join(", "), 400)}`),
      one.parents.length > 0 && made("small", {}, `from ${short(one.parents.join(", "), 120)}`))))));
}

/** Of each variable its states with prior and posterior; what is chosen as seen changes the posterior. */
function inference(model) {
  const { variables } = model.network;
  const bars = made("div", { class: "variables" }), problem = made("p", { class: "banner", role: "status", hidden: true });
  const chosen = new Map();
  let prior = null, asked = 0;
  // Without a prototype, a variable may be called __proto__.
  const entries = (pairs) => pairs.reduce((values, [name, value]) => { values[name] = value; return values; }, Object.create(null));
  const ask = async (evidence) => new Map(Object.entries((await call("/infer", {
    network_name: model.name, query: entries(variables.map((one) => [one.name, null])), evidence: entries(evidence),
  })).results));
  const selects = variables.map((one) => made("select", { "aria-label": `${short(one.name, 60)} is seen to be`, onchange: (event) => {
    if (event.target.value === "") chosen.delete(one.name);
    else chosen.set(one.name, one.states[Number(event.target.value)]);
    follow();
  } }, made("option", { value: "" }, "not seen"), ...one.states.map((state, index) => made("option", { value: index }, short(shownValue(state), 60)))));
  async function follow() {
    const own = (asked += 1);
    try {
      prior ??= await ask([]);
      const now = chosen.size ? await ask([...chosen]) : prior;
      if (own !== asked) return;
      problem.hidden = true;
      bars.replaceChildren(...variables.map((one, index) => barsOf(one, selects[index], prior.get(one.name), now.get(one.name), chosen.size > 0)));
    } catch (error) {
      if (own !== asked) return;
      problem.textContent = spelled(error.message);
      problem.hidden = false;
    }
  }
  follow();
  return made("div", {}, made("p", { class: "byline" }, "Grey is what held before; choose what is seen, and the coloured bars follow."), problem, bars);
}

function barsOf(variable, select, prior, now, moved) {
  const focused = document.activeElement === select;
  const rows = variable.states.flatMap((state, index) => {
    const before = prior.probabilities[index], after = now.probabilities[index];
    const label = short(shownValue(state), 40);
    return [made("span", { dir: "auto" }, label),
      made("span", { class: "pair" },
        made("meter", { class: "prior", min: 0, max: 1, value: before, "aria-label": `${label}, prior ${percent(before)}` }),
        moved && made("meter", { min: 0, max: 1, value: after, "aria-label": `${label}, posterior ${percent(after)}` })),
      made("span", {}, percent(after))];
  });
  const block = made("div", { class: "variable" }, made("div", { class: "head" }, made("b", { dir: "auto" }, short(variable.name, 60)), select), made("div", { class: "parts" }, ...rows));
  if (focused) requestAnimationFrame(() => select.focus());
  return block;
}

/** Cases by two principal components, coloured by outcome; each leads to its memory. */
function drawnCases(drawn) {
  if (!drawn.cases.length) return made("p", { class: "byline" }, `${drawn.total ? "One case" : "No cases"}: a drawing needs two.`);
  const colours = coloured(drawn.cases.map((one) => one.outcome));
  const [xs, ys] = ["x", "y"].map((axis) => drawn.cases.map((one) => one[axis]));
  const onto = (values, length) => {
    const low = Math.min(...values), span = Math.max(...values) - low || 1;
    return (value) => CLOUD.edge + ((value - low) / span) * (length - 2 * CLOUD.edge);
  };
  const across = onto(xs, CLOUD.width), down = onto(ys, CLOUD.height);
  const said = (one) => `${short(one.case_id, 80)}: ${one.outcome === undefined ? "no outcome" : short(shownValue(one.outcome), 80)}`;
  const dots = drawn.cases.map((one, index) => made("a", { svg: true, href: place(one.node_id), tabindex: "-1" }, made("title", {}, said(one)),
    made("circle", { class: `dot c${colours.codes[index]}`, cx: across(one.x).toFixed(1), cy: (CLOUD.height - down(one.y)).toFixed(1), r: 5 })));
  const shown = drawn.variance_shown.map((share, index) => `${index ? "upwards" : "across"} ${Math.round(100 * share)} %`).join(", ");
  return made("div", {},
    made("svg", { viewBox: `0 0 ${CLOUD.width} ${CLOUD.height}`, role: "img", "aria-label": `${drawn.cases.length} cases, listed below` }, ...dots),
    made("ul", { class: "legend" }, ...colours.labels.map(([code, label, count]) => made("li", { dir: "auto" },
      made("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, made("circle", { class: `dot c${code}`, cx: 6, cy: 6, r: 5 })), `${label} (${count})`))),
    made("p", { class: "byline" }, `Principal components; of the variance, ${shown} ${drawn.cases.length < drawn.total ? `· ${drawn.cases.length.toLocaleString()} of ${drawn.total.toLocaleString()} cases` : ""}`),
    made("details", {}, made("summary", {}, "As a list"), made("ul", { class: "plain" }, ...drawn.cases.slice(0, MOST_LISTED).map((one) =>
      made("li", {}, made("a", { href: place(one.node_id), dir: "auto" }, said(one)))))));
}

/** A colour for each outcome: nine names, or five steps of numbers; a code of each, and what the codes stand for. */
function coloured(outcomes) {
  const known = outcomes.filter((outcome) => outcome !== undefined);
  const numbers = known.every((outcome) => typeof outcome === "number") && new Set(known).size > MOST_COLOURS;
  const low = numbers ? Math.min(...known) : 0, step = numbers ? (Math.max(...known) - low) / 5 : 0;
  const nameOf = (outcome) => {
    if (outcome === undefined) return "no outcome";
    if (!numbers) return short(shownValue(outcome), 40);
    const at = Math.min(4, Math.floor((outcome - low) / step));
    return `${(low + at * step).toPrecision(3)} to ${(low + (at + 1) * step).toPrecision(3)}`;
  };
  const names = outcomes.map(nameOf), counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const first = numbers ? (name) => (name === "no outcome" ? Infinity : parseFloat(name)) : (name) => -counts.get(name);
  const ranked = [...counts.keys()].sort((one, other) => first(one) - first(other));
  const shown = ranked.slice(0, MOST_COLOURS), rest = ranked.slice(MOST_COLOURS);
  const codeOf = (name) => (name === "no outcome" ? "none" : shown.includes(name) ? (numbers ? `n${shown.indexOf(name)}` : String(shown.indexOf(name))) : "rest");
  const labels = shown.map((name) => [codeOf(name), name, counts.get(name)]);
  if (rest.length) labels.push(["rest", "others", rest.reduce((sum, name) => sum + counts.get(name), 0)]);
  return { codes: names.map(codeOf), labels };
}

// The trash, and the export

const TRASH_PAGE = 50;
const trashFrom = (offset) => call(`/trash?${new URLSearchParams({ offset, limit: TRASH_PAGE })}`);

const showTrash = () => attempt(async () => {
  const before = list.querySelectorAll("ul.trash > li").length; // what was shown stays shown
  const first = await trashFrom(0), stones = [...first.tombstones];
  while (stones.length < Math.min(before, first.total)) {
    const { tombstones } = await trashFrom(stones.length);
    if (!tombstones.length) break;
    stones.push(...tombstones);
  }
  if (view !== "trash") return;
  shown = JSON.stringify(LISTS.trash[1](first));
  if (!stones.length) {
    status.textContent = "";
    list.replaceChildren(made("p", { class: "empty" }, "The trash is empty."));
    return;
  }
  const rows = made("ul", { class: "cards trash", "aria-label": "Trash" }, ...stones.map(stoneOf));
  const more = button("", () => attempt(async () => {
    const from = rows.children.length, next = await trashFrom(from);
    rows.append(...next.tombstones.map(stoneOf));
    countTrash(next.total);
    rows.children[from]?.querySelector("button")?.focus();
  }));
  const countTrash = (total) => {
    const rest = total - rows.children.length;
    status.textContent = `${total.toLocaleString()} forgotten`;
    more.textContent = `Show ${Math.min(rest, TRASH_PAGE)} more of ${rest.toLocaleString()}`;
    more.hidden = rest <= 0;
  };
  countTrash(first.total);
  list.replaceChildren(rows, more);
});

function stoneOf(stone) {
  const said = short(stone.original_content, 60);
  return made("li", {},
    made("p", { class: "ask", dir: "auto" }, short(stone.original_content, 400)),
    made("p", {}, made("small", {}, `forgotten ${minute(stone.deleted_at)}, ${stone.deletion_reason.replaceAll("_", " ")}`)),
    stone.reversal_hash && button("Bring back", () => takeBack(stone.reversal_hash), { "aria-label": `Bring back: ${said}` }));
}

$("export").addEventListener("click", () => attempt(async () => {
  $("export").disabled = true;
  try {
    const address = URL.createObjectURL(await call("/export", undefined, { raw: true }));
    made("a", { href: address, download: `context-graph-${new Date().toISOString().slice(0, 10)}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    tell("Exported; context-graph import reads the file back.");
  } finally {
    $("export").disabled = false;
  }
}));

// Where the page is

let view = null;

function refresh() {
  offer();
  if (view === "questions") showQuestions();
  else {
    questions();
    if (view === "trash") showTrash();
    else if (view === "models") showModels();
    else if (query.value.trim()) search(query.value.trim());
    else showTimeline();
  }
}

function go() {
  const [, name = "", id = ""] = location.hash.split("/");
  if (name === "memory" && id) {
    from = location.hash;
    if (view === null) { view = "timeline"; refresh(); }
    openMemory(id);
  } else if (name === "model" && id) {
    from = location.hash;
    if (view !== "models") { view = "models"; query.value = ""; narrow.hidden = true; refresh(); }
    openModel(id);
  } else {
    const next = ["questions", "models", "trash"].includes(name) ? name : "timeline";
    closeMemory();
    if (next !== view) {
      searching?.abort();
      if (next !== "timeline") query.value = "";
      view = next;
      list.scrollTop = 0;
      narrow.hidden = view !== "timeline";
      if (narrow.hidden && !filters.hidden) closeFilters();
      refresh();
    }
  }
  for (const link of document.querySelectorAll("nav a")) {
    const own = link.getAttribute("href") === home();
    if (own) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function markCurrent() {
  for (const entry of list.querySelectorAll("a.entry")) {
    if (!article.hidden && entry.getAttribute("href") === (opened ? place(opened.node_id) : location.hash)) entry.setAttribute("aria-current", "true");
    else entry.removeAttribute("aria-current");
  }
}

/** Move the focus among rows; one beyond the edge is scrolled to first. */
function step(by) {
  const index = Number(document.activeElement?.dataset?.index ?? -1) + by;
  if (index < 0) return query.focus();
  if (timeline.rows?.isConnected) {
    if (index >= timeline.total) return undefined;
    if (index * ROW < list.scrollTop) list.scrollTop = index * ROW;
    else if ((index + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (index + 1) * ROW - list.clientHeight;
    drawRows();
  }
  return list.querySelector(`a.entry[data-index="${index}"]`)?.focus({ preventScroll: Boolean(timeline.rows?.isConnected) });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("entrance").open) return;
  const within = document.activeElement;
  if (event.key === "/" && !["INPUT", "TEXTAREA"].includes(within?.tagName)) {
    event.preventDefault();
    query.focus();
    query.select();
  } else if (event.key === "f" && !narrow.hidden && !["INPUT", "TEXTAREA", "SELECT"].includes(within?.tagName)) {
    event.preventDefault();
    if (filters.hidden) openFilters();
    else filters.elements.first.focus();
  } else if (event.key === "Escape") {
    if (filters.contains(within)) closeFilters();
    else if (!article.hidden) leave();
    else if (query.value) { query.value = ""; asked(); query.focus(); }
  } else if (["ArrowDown", "ArrowUp"].includes(event.key) && (within === query || within === document.body || list.contains(within))) {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  }
});
for (const link of document.querySelectorAll("header a[href='#/']")) {
  link.addEventListener("click", () => {
    if (!query.value) return;
    query.value = "";
    if (view === "timeline") refresh();
  });
}
addEventListener("hashchange", go);
go();
