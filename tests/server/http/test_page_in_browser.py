"""The page in a browser: every button, every key, and memories that would like to be more than text."""

import json

import pytest
from chromium import PROGRAM, Chromium
from http_process import HOSTILE, enveloped, remembered, tool_called

from tests.cases.test_models import RAIN
from tests.requirements import requirement

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")

MANY = 100_000
FORGED = """
const real = window.fetch;
window.fetch = (url, more) => {
  const asked = /memories.offset=(\\d+)/.exec(url);
  if (!asked) return real(url, more);
  const offset = Number(asked[1]);
  const memories = Array.from({ length: 100 }, (_, i) => ({
    node_id: String(offset + i), content_snippet: `memory ${offset + i}`,
    occurred_at: new Date(1.7e12 - (offset + i) * 3.6e6).toISOString(),
  }));
  return Promise.resolve(new Response(JSON.stringify({ total: 100000, offset, memories })));
};
"""
"""A timeline of 100,000 memories, without a store of them."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    browser = Chromium(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.end()


@pytest.fixture
def page(chromium, server):
    """The page of the server, which must not complain and asks nobody else."""
    chromium.size(1280, 800)
    chromium.complaints.clear()
    chromium.requested.clear()
    chromium.open(server.url)
    yield chromium
    assert chromium.complaints == []
    assert [url for url in chromium.requested if not url.startswith((server.url, "data:", "blob:", "about:"))] == []


def told(page, text):
    page.until(f"!notice.hidden && told.textContent.includes({json.dumps(text)})")


def searched(page, text):
    page.click("#query")
    page.value("query.select()")
    page.type(text)
    page.until(f"list.querySelector('.found')?.innerText.includes({json.dumps(text)})")


@requirement("page:keyboard")
def test_a_search_shows_as_it_is_typed_why_it_found_what_it_found(page, server, http):
    remembered(server, http, "The lighthouse of Arkona has two towers.", metadata={"speaker": "Greta"})
    remembered(server, http, "The plum cake needs forty minutes.")  # beside another its scores have a spread
    page.press("/")
    page.type("lighthouse of Arkona")
    page.until("list.querySelector('.found')?.innerText.includes('two towers')")
    assert page.value("status.textContent").endswith(("result", "results"))
    page.press("ArrowDown")
    assert page.value("document.activeElement.innerText").startswith("Greta · ")
    page.press("Tab")
    page.press("Enter")  # on "Why it was found"
    assert page.until("list.querySelector('details[open] .parts')?.innerText")
    page.value("list.querySelector('a.entry').focus()")
    page.press("Enter")
    page.until("article.innerText.includes('two towers') && document.activeElement === article")
    page.press("Escape")
    page.until("article.hidden && document.activeElement.innerText?.includes('two towers')")
    page.press("ArrowUp")
    assert page.value("document.activeElement.id") == "query"
    page.press("Escape")
    page.until("timeline.rows?.isConnected && !query.value")


@requirement("page:keyboard")
def test_a_search_for_what_is_not_known_says_so_above_the_nearest(page, server, http):
    remembered(server, http, "The lighthouse of Arkona has two towers.")
    page.press("/")
    page.type("capital of Mongolia")
    page.until("list.innerText.includes('Nothing is known of this')")
    assert page.value("status.textContent") == "Nothing known of this"
    assert page.value("list.querySelectorAll('.found li').length > 0")


@requirement("page:undone")
def test_what_is_forgotten_comes_back_from_the_notice_the_trash_and_its_history(page, server, http):
    id = remembered(server, http, "The blue tender leaks at the stern.")
    for back in ("#undo", "#list .cards button"):
        page.value(f"location.hash = '#/memory/{id}'")
        page.click("#memory .danger")
        told(page, "Forgotten")
        assert http.get(f"{server.url}/api/v1/memories/{id}").status_code == 404
        if back != "#undo":
            page.click("#dismiss")
            page.until("notice.hidden")
            page.click("nav a[href='#/trash']")
        page.click(back)
        told(page, "Taken back")
        assert http.get(f"{server.url}/api/v1/memories/{id}").status_code == 200
    note = {"node_id": id, "annotation": "Mended in May.", "annotation_type": "user_note"}
    body, headers = enveloped("tools/call", name="annotate_node", arguments=note)
    http.post(server.mcp, json=body, headers=headers)
    page.click("nav a[href='#/']")
    page.value(f"location.hash = '#/memory/{id}'")
    page.until("article.innerText.includes('Mended in May.')")
    page.click("#memory button[aria-label='Undo: a note was put beside it']")
    told(page, "Taken back")
    page.until("!article.innerText.includes('Mended in May.')")
    page.click("#memory .tools button")
    page.until("article.hidden")


@requirement("page:undone")
def test_what_was_stored_is_taken_back_from_its_history_and_redone_from_the_notice(page, server, http):
    id = remembered(server, http, "The green tender has two oars.")
    page.value(f"location.hash = '#/memory/{id}'")
    page.click("#memory button[aria-label='Undo: stored']")
    told(page, "Taken back")
    page.until("article.hidden")
    assert http.get(f"{server.url}/api/v1/memories/{id}").status_code == 404
    page.click("#undo")
    page.until("notice.hidden || $('undo').hidden")
    assert http.get(f"{server.url}/api/v1/memories/{id}").status_code == 200


def test_all_of_a_long_trash_can_be_reached(page, server, http):
    for number in range(53):
        id = remembered(server, http, f"Crate {number} holds rope.")
        http.post(f"{server.url}/api/v1/forget", json={"node_id": id, "reason": "obsolete"})
    page.click("nav a[href='#/trash']")
    page.until("list.querySelectorAll('.trash > li').length === 50")
    total = http.get(f"{server.url}/api/v1/trash").json()["total"]
    assert page.value("status.textContent") == f"{total} forgotten"
    page.click("#list .trash + button")
    page.until(f"list.querySelectorAll('.trash > li').length === {total}")
    assert page.value("list.querySelector('.trash + button').hidden")


def test_questions_are_answered_by_pressing_a_button(page, server, http):
    for day, who in (("Tuesday", "Mira"), ("Thursday", "Jonas")):
        remembered(server, http, f"The weekly review is on {day}.", metadata={"speaker": who})
    page.click("nav a[href='#/questions']")
    page.until("list.innerText.includes('Which of them holds?')")
    assert page.value("[...list.querySelectorAll('.answers button')].map(one => one.textContent).join()") == (
        "The first holds,The second holds,Both hold"
    )
    page.click("#list .answers button:last-child")
    told(page, "Noted")
    page.until("list.innerText.includes('Nothing is open')")
    page.click("#undo")
    told(page, "Taken back")
    page.until("list.innerText.includes('Which of them holds?')")
    page.click("#list .answers button")
    page.until("list.innerText.includes('Nothing is open')")


@pytest.mark.parametrize(("tool", "label"), [("merge_concepts", "Join them"), ("forget_concept", "Forget it")])
def test_what_is_double_is_joined_and_what_nobody_needs_is_forgotten(page, server, http, tool, label):
    texts = ("The mooring costs 40 euros a night.", "The mooring costs 40 euros for a night.")
    ids = [remembered(server, http, text) for text in texts[: 2 if tool == "merge_concepts" else 1]]
    task = {"task_type": "potential_merge", "suggested_tool": tool, "target_nodes": ids, "reason": "98% similar"}
    page.value(
        "(() => { const real = window.fetch; window.fetch = (url, more) => url.endsWith('/proposals') ?"
        f" Promise.resolve(new Response({json.dumps(json.dumps({'curation_tasks': [task]}))})) : real(url, more); }})()"
    )
    page.click("nav a[href='#/questions']")
    page.until(f"list.innerText.includes({json.dumps(label)})")
    page.click("#list .answers button")
    told(page, "Joined" if tool == "merge_concepts" else "Forgotten")
    history = f"{server.url}/api/v1/nodes/{ids[0]}/history"
    done = {"merge_concepts": "merged", "forget_concept": "forgotten"}[tool]
    assert [one["operation"] for one in http.get(history).json()["versions"]][-1] == done
    page.click("#undo")
    told(page, "Taken back")
    assert http.get(history).json()["versions"][-1]["operation"] == "restored"


def test_an_export_is_a_file(page, server, http):
    remembered(server, http, "The chart is from 1998.")
    page.click("#export")
    told(page, "Exported")
    lines = page.saved().read_text("utf-8").splitlines()
    assert any("The chart is from 1998." in line for line in lines)
    assert json.loads(lines[-1])["lines"] == len(lines) - 1


@requirement("page:hostile-memories")
def test_hostile_memories_are_text_in_every_view(page, server, http):
    link = "[Read this](javascript:document.title='taken') <a href=\"javascript:document.title='taken'\">this</a>"
    long = f"{'The log goes on. ' * 3_800}<script>document.title = 'taken'</script>"
    hostile = {"name": HOSTILE[:60], "tags": [HOSTILE], HOSTILE[:40]: HOSTILE, "speaker": "<b onclick=alert(1)>Eve</b>"}
    ids = [
        remembered(server, http, HOSTILE, metadata=hostile),
        remembered(server, http, link),
        remembered(server, http, long),
    ]
    title = page.value("document.title")
    page.open(server.url)
    for id, part in zip(ids, ("<script>document", "javascript:document", "The log goes on"), strict=True):
        page.value(f"location.hash = '#/memory/{id}'")
        page.until(f"article.innerText.includes({json.dumps(part)})")
        page.press("Escape")
        page.until("article.hidden")
    page.value(f"location.hash = '#/memory/{ids[0]}'")
    page.until("article.innerText.includes('⟨202E⟩gnp.exe')")
    page.value(f"location.hash = '#/memory/{ids[2]}'")
    page.click("#memory .content + button")
    page.until("article.querySelector('.content').textContent.endsWith('</script>')")
    searched(page, "document.title")
    page.click("nav a[href='#/questions']")
    page.until("view === 'questions'")
    for id in ids:
        http.post(f"{server.url}/api/v1/forget", json={"node_id": id, "reason": "user_requested"})
    page.click("nav a[href='#/trash']")
    page.until("list.innerText.includes('<script>document')")
    assert page.value("document.title") == title
    assert page.value("document.querySelectorAll('script, img, iframe, object, b[onclick]').length") == 1  # app.js
    assert page.value("[...document.links].every((one) => one.getAttribute('href').startsWith('#/'))")


@requirement("page:models")
def test_a_network_is_drawn_and_what_is_seen_moves_its_bars(page, server, http):
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")
    tool_called(server, http, "create_cerebrum_model", name="garden", model_type="bayesian", config=RAIN)
    page.click("nav a[href='#/models']")
    page.until("list.innerText.includes('garden')")
    page.value("[...list.querySelectorAll('a.entry')].find((one) => one.innerText.includes('garden')).focus()")
    page.press("Enter")
    page.until("article.querySelectorAll('meter').length === 6 && document.activeElement === article")
    assert page.value("article.querySelectorAll('.wide .box').length") == 3
    assert page.value("article.querySelectorAll('.wide .arrow').length") == 3
    meters = "[...article.querySelectorAll('meter:not(.prior)')].map((one) => one.value)"
    assert page.value("[...article.querySelectorAll('meter.prior')][0].value") == pytest.approx(0.2)

    def seen(variable, state):
        page.value(
            f"(() => {{ const one = article.querySelectorAll('select')[{variable}]; one.value = '{state}';"
            "one.dispatchEvent(new Event('change')); })()"
        )

    seen(2, 0)  # wet: true
    page.until(f"{meters}.length === 6")
    assert page.value(meters)[0] == pytest.approx(0.3577, abs=1e-4) and page.value(meters)[4:] == [1, 0]
    seen(0, 1)
    seen(1, 1)  # no rain, no sprinkler: it cannot be wet
    page.until("!article.querySelector('.banner').hidden")
    assert "impossible in this network" in page.value("article.querySelector('.banner').textContent")
    page.complaints[:] = [one for one in page.complaints if "/api/v1/infer" not in one]  # the browser names each 400
    seen(2, 1)  # all is seen
    page.until(f"article.querySelector('.banner').hidden && {meters}[5] === 1")
    page.press("Escape")
    page.until("article.hidden && document.activeElement.innerText?.includes('garden')")


@requirement("page:models")
@requirement("page:hostile-memories")
def test_cases_are_drawn_and_hostile_labels_are_text(page, server, http):
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")
    name, title = "<script>document.title = 'taken'</script> a/b", page.value("document.title")
    made = tool_called(server, http, "create_cerebrum_model", name=name, model_type="case_based")["model"]["name"]
    odd = [HOSTILE, "__proto__", "constructor", "<b onclick=alert(1)>x</b>"]
    for number in range(12):
        outcome = {} if number == 0 else {"outcome": odd[number % 4]}
        features = {"x": number, "<i>y</i>": odd[number % 4][:60]}
        tool_called(server, http, "add_case", case_id=f"{number} <script>", features=features, model=made, **outcome)
    strange = {"__proto__": ["<img src=x>", "constructor"], "toString": ["a", "b"]}
    even = {"__proto__": [0.5, 0.5], "toString": [0.5, 0.5]}
    config = {"variables": strange, "cpts": even}
    tool_called(server, http, "create_cerebrum_model", name="strange", model_type="bayesian", config=config)
    page.click("nav a[href='#/models']")
    page.until("list.innerText.includes('strange')")
    page.value("[...list.querySelectorAll('a.entry')].find((one) => one.innerText.includes('<script>')).click()")
    page.until("article.querySelectorAll('svg a circle').length === 12")
    assert page.value("article.querySelector('.legend').innerText").count("(3)") == 3
    assert "no outcome (1)" in page.value("article.querySelector('.legend').innerText")
    assert page.value("document.querySelectorAll('script, img, iframe, object, b[onclick], article i').length") == 1
    assert page.value("[...document.links].every((one) => (one.getAttribute('href')).startsWith('#/'))")
    page.value("[...list.querySelectorAll('a.entry')].find((one) => one.innerText.includes('strange')).click()")
    page.until("article.querySelectorAll('.wide .box').length === 2")
    page.until("article.querySelectorAll('meter').length === 4 || !article.querySelector('.banner').hidden")
    assert page.value("article.querySelectorAll('meter').length") == 4
    assert page.value("document.title") == title


@requirement("page:large-stores")
def test_of_100_000_memories_only_those_that_are_seen_exist(page):
    page.value(f"{{ {FORGED} refresh(); refresh(); }}")  # one that comes late must not undo the other
    page.until(f"timeline.total === {MANY}")
    for at in (0, 50_000, MANY - 1):
        page.value(f"list.scrollTop = ROW * {at}")
        page.until(f"list.innerText.includes('memory {at}')")
        assert page.value("document.querySelectorAll('.row').length") < 60
    page.value("list.querySelector(`[data-index='99990']`).focus({ preventScroll: true })")
    for _ in range(4):
        page.press("ArrowDown")
    assert page.value("document.activeElement.dataset.index") == "99994"
    assert page.value("timeline.pages.size") <= page.value("KEPT_PAGES")
    rows = "[...timeline.rows.children].map((row) => parseInt(row.dataset.key, 10))"
    assert page.value(f"{rows}.every((one, i, all) => !i || all[i - 1] < one)"), "the order of reading is that of time"


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_all_without_scrolling_sideways(page, server, http, dark):
    id = remembered(
        server, http, "Greta anchors off Hiddensee and " + "very" * 60 + " late.", metadata={"speaker": "Ben"}
    )
    page.size(360, 720, dark=dark)
    page.open(server.url)
    tool_called(server, http, "create_cerebrum_model", name=f"phone {dark}", model_type="bayesian", config=RAIN)
    model = http.get(f"{server.url}/api/v1/models").json()["models"][-1]["id"]
    for place in ("#/", f"#/memory/{id}", "#/questions", "#/models", f"#/model/{model}", "#/trash"):
        page.value(f"location.hash = '{place}'")
        page.value("new Promise((done) => setTimeout(done, 100))")
        assert page.value("document.documentElement.scrollWidth <= innerWidth && list.scrollWidth <= innerWidth"), place
        assert page.value("article.scrollWidth <= innerWidth")
    page.complaints[:] = [one for one in page.complaints if "/api/v1/infer" not in one]  # without pyAgrum
    light = page.value("parseInt(getComputedStyle(document.body).backgroundColor.slice(4), 10)")
    assert light < 60 if dark else light > 200


@requirement("page:keyboard")
def test_all_that_can_be_used_has_a_name_and_is_reached_by_tab(page, server, http):
    first = remembered(server, http, "Anna plays the clarinet.")
    second = remembered(server, http, "Anna bought reeds for the clarinet.", link_to=[first])
    page.value(f"location.hash = '#/memory/{second}'")
    page.until("article.innerText.includes('reeds')")
    usable = ("button", "link", "searchbox", "textbox", "image", "img", "article", "region", "list", "meter")
    tree = page.ask("Accessibility.getFullAXTree")["nodes"]
    named = [node for node in tree if not node["ignored"] and node.get("role", {}).get("value") in usable]
    assert {"button", "link", "searchbox"} <= {node["role"]["value"] for node in named}
    nameless = [
        n["role"]["value"] for n in named if not n.get("name", {}).get("value") and n["role"]["value"] != "list"
    ]
    assert nameless == []
    reached = set()
    page.value("document.activeElement.blur()")
    for _ in range(80):
        page.press("Tab")
        reached.add(page.value("document.activeElement.id || document.activeElement.textContent"))
    assert {"query", "export", "← Back", "Forget"} <= reached


def test_an_empty_memory_says_how_one_is_stored(chromium, serve):
    chromium.open(serve().url)
    assert "context-graph remember" in chromium.until("list.querySelector('.empty')?.textContent")


def test_a_server_that_has_ended_is_told(chromium, serve):
    server = serve()
    chromium.open(server.url)
    chromium.until("Boolean(list.querySelector('.empty'))")
    server.end()
    chromium.click("nav a[href='#/trash']")
    told(chromium, "does not answer")


@requirement("page:tokens")
def test_the_page_asks_for_a_token_until_one_is_right(chromium, serve, http):
    server = serve()
    token = server.token("laptop", "read")
    http.headers.update(server.token("writer"))
    id = remembered(server, http, "The anchor chain is 60 m long.")
    chromium.open(server.url)
    chromium.until("entrance.open")
    for given in ("wrong", token["Authorization"].removeprefix("Bearer ")):
        chromium.until("entrance.open")
        chromium.click("#token")
        chromium.type(given)
        chromium.click("#admission button")
        if given == "wrong":
            chromium.until("entrance.open && refused.textContent.includes('not known')")
    chromium.until("list.innerText.includes('60 m long')")
    chromium.open(f"{server.url}/#/memory/{id}")
    chromium.until("!entrance.open && article.innerText.includes('60 m long')")
    chromium.click("#memory .danger")
    told(chromium, "writes, and the token 'laptop' has the scope read")
    chromium.click("#export")
    told(chromium, "scope admin")


OTHERS = "[...document.querySelectorAll('#news button')].map((one) => one.textContent).join()"


def emptied(serve, chromium, *texts, http):
    """A server of its own, with some memories, and its page."""
    server = serve()
    ids = [remembered(server, http, text) for text in texts]
    chromium.size(1280, 800)
    chromium.complaints.clear()
    chromium.open(server.url)
    chromium.until(f"timeline.total === {len(ids)} && list.querySelectorAll('a.entry').length > 0")
    chromium.until("Boolean(watching)")
    return server, ids


@requirement("page:follows")
def test_what_another_client_stores_is_offered_and_the_place_stays(chromium, serve, http):
    server, ids = emptied(serve, chromium, *(f"Buoy {number} is green." for number in range(40)), http=http)
    page = chromium
    page.value("list.scrollTop = 900; list.querySelector('[data-index=\"15\"]').focus({ preventScroll: true })")
    page.until("timeline.rows.firstElementChild.dataset.key.startsWith('0 ') === false")
    for number in (1, 2):
        remembered(server, http, f"Lock {number} is closed until May.")
    page.until(f"{OTHERS} === '2 new memories: show'")
    assert page.value("list.scrollTop") == 900 and page.value("document.activeElement.dataset.index") == "15"
    assert "Lock 1" not in page.value("list.innerText")
    page.click("#news button")
    page.until("document.activeElement.innerText?.includes('Lock 2') && list.scrollTop === 0")
    assert page.value(OTHERS) == "" and page.value("timeline.total") == 42
    http.post(f"{server.url}/api/v1/forget", json={"node_id": ids[0], "reason": "user_requested"})
    page.until(f"{OTHERS} === '1 forgotten memory: show'")
    page.click("nav a[href='#/trash']")
    page.until("list.innerText.includes('Buoy 0')")
    assert page.value(OTHERS) == ""
    http.post(f"{server.url}/api/v1/forget", json={"node_id": ids[1], "reason": "user_requested"})
    page.until(f"{OTHERS} === 'This list has changed: show'")
    page.click("#news button")
    page.until("list.innerText.includes('Buoy 1')")
    assert page.complaints == []


@requirement("page:follows")
def test_what_another_client_changes_of_an_open_memory_is_seen_in_its_place(chromium, serve, http):
    server, (one, _) = emptied(serve, chromium, "The tide " * 400 + "turns.", "The pier is closed.", http=http)
    page = chromium
    page.value(f"location.hash = '#/memory/{one}'")
    page.until("article.innerText.includes('The tide') && (article.scrollTop = 150)")
    note = {"node_id": one, "annotation": "Since 1998.", "annotation_type": "user_note"}
    tool_called(server, http, "annotate_node", **note)
    page.until("article.innerText.includes('Since 1998.')")
    assert page.value("article.scrollTop") == 150 and page.value("document.activeElement === article")
    http.post(f"{server.url}/api/v1/forget", json={"node_id": one, "reason": "user_requested"})
    page.until(f"{OTHERS}.includes('forgotten')")
    page.complaints[:] = [one for one in page.complaints if "/api/v1/memories/" not in one]  # it names the 404
    assert page.complaints == []


@requirement("page:follows")
def test_the_page_hears_again_after_the_server_was_away_and_not_while_it_is_hidden(chromium, serve, http):
    server, _ = emptied(serve, chromium, "The pier is closed.", http=http)
    page, port = chromium, server.url.rsplit(":", 1)[1]
    server.end()
    again = serve(program=("-m", "context_graph.cli", "serve", "--transport", "http", "--port", port))
    remembered(again, http, "The pier is open.")
    page.until(f"{OTHERS} === '1 new memory: show'")
    hidden = "Object.defineProperty(document, 'hidden', { configurable: true, value: %s });"
    told = "document.dispatchEvent(new Event('visibilitychange'));"
    page.value(f"{{ offer(); {hidden % 'true'} {told} }}")
    assert page.value("watching === null")
    remembered(again, http, "The pier is wet.")
    page.value(f"{{ {hidden % 'false'} {told} }}")
    page.until(f"{OTHERS} === '2 new memories: show'")
    page.complaints.clear()  # of the requests that nobody answered


@requirement("page:filters")
@pytest.mark.parametrize("dark", [False, True])
def test_filters_are_reached_by_keys_and_narrow_timeline_and_search(chromium, serve, http, dark):
    page, server = chromium, serve()
    for text, day, speaker, more in (
        ("The ferry leaves at nine.", 1, "Anna", {"pinned": True}), ("The ferry leaves at ten.", 2, "Ben", {}),
        ("The ferry was late.", 3, "Anna", {"project": "harbour"}),
    ):  # fmt: skip
        metadata = {"speaker": speaker, "date": f"2026-05-0{day}", **more}
        remembered(server, http, text, metadata=metadata)
    page.size(360, 720, dark=dark)
    page.complaints.clear()
    page.open(server.url)
    page.until("timeline.total === 3")
    page.press("f")
    page.until("!filters.hidden && document.activeElement === filters.elements.first")
    page.until("filters.elements.speaker.options.length === 3 && filters.elements.project.options.length === 2")
    assert page.value("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"
    names = page.value("[...filters.elements].map((one) => (one.labels[0] ?? one).innerText.split('\\n')[0].trim())")
    assert names == ["From day", "To day", "Kind", "Project", "Speaker", "State", "Clear"]

    def chosen(name, value):
        page.value(
            f"(() => {{ const one = filters.elements.{name}; one.value = '{value}';"
            "one.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )

    def narrowed(*texts):
        page.until(f"timeline.total === {len(texts)} && list.querySelectorAll('a.entry').length === {len(texts)}")
        assert page.value("[...list.querySelectorAll('.said')].map((one) => one.textContent)") == list(texts)

    chosen("speaker", "anna")
    narrowed("The ferry was late.", "The ferry leaves at nine.")
    assert page.value("narrow.textContent") == "Filter (1)"
    chosen("last", "2026-05-02")
    narrowed("The ferry leaves at nine.")
    page.click("#widen")
    narrowed("The ferry was late.", "The ferry leaves at ten.", "The ferry leaves at nine.")
    chosen("state", "pinned")
    narrowed("The ferry leaves at nine.")
    page.click("#query")
    page.type("When does the ferry leave?")
    page.until("list.querySelectorAll('.found a.entry').length === 1 && list.innerText.includes('at nine')")
    chosen("project", "harbour")
    page.until("list.innerText.includes('No memory matched under these filters')")
    page.value("filters.elements.state.focus()")
    page.press("Escape")
    page.until("filters.hidden && document.activeElement === narrow")
    assert page.value("narrow.getAttribute('aria-expanded')") == "false"
    page.press("Enter")
    page.until("!filters.hidden && filters.elements.project.value === 'harbour'")
    assert page.complaints == []
