"""A secret is a value that looks like one: everyday shapes go, prose and code stay."""

import base64
import string
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.errors import InvalidInput
from context_graph.safety.patterns import PII, SECRETS
from context_graph.safety.pii import ALL_KINDS, _scrubbed, scrub
from context_graph.safety.values import Strength, strength
from context_graph.settings import PERSONAL_KINDS, SECRET_KINDS, Settings, load_settings
from tests.requirements import requirement

RANDOM = Random(11)


def made(letters: str, count: int) -> str:
    return "".join(RANDOM.choice(letters) for _ in range(count))


HEX, WIDE = "0123456789abcdef", string.ascii_letters + string.digits
BASE64 = base64.b64encode(bytes(RANDOM.randrange(256) for _ in range(64))).decode()
GITHUB = "ghp_" + made(WIDE, 36)
SEED = "ladder orchard velvet mango tiger crystal ribbon puzzle hammer ocean fabric lemon"
SHAPES = {
    "curl": ("curl -u anna:{} https://ci.kestrel.io", "Hazel-slate955"),
    "curl long": ("curl --user deploy:{} -X POST https://ci.kestrel.io", made(WIDE, 20)),
    "basic": ("Authorization: Basic {}", base64.b64encode(b"anna:Torf-Stich44").decode()),
    "flag": ("backup --host db1 --password {} --all", "Winter!2031x"),
    "flag equals": ("backup --password={} --all", "Winter!2031x"),
    "token flag": ("login --token {}", made(WIDE, 32)),
    "mysql": ("mysql -u root -p{} shop", "Tundra+nectar72_"),
    "sshpass": ("sshpass -p '{}' ssh root@b2", "na50RIlWXNM9-s3"),
    "redis": ("redis-cli -h r1 -a {} ping", made(WIDE, 18)),
    "environment": ("DB_PASS={}", "hunter2blue"),
    "environment, words": ("DB_HOST=db1\nDB_PASSWORD={}\nDB_PORT=5432", "correcthorsebattery"),
    "setting": ("Access for staging: password={}", "hunter2secret"),
    "setting beside others": ("host=db1 user=bo password={} port=5432", "sunflower2024"),
    "signed address": ("https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature={}", "5fa3beca038a248f" * 4),
    "exported words": ("export MYSQL_PWD={}", "letmein"),
    "unseal key": ("Vault unseal key 1: {}", BASE64[:43] + "="),
    "unseal key in hex": ("Unseal Key 3: {}", made(HEX, 64)),
    "exported": ("export PGPASSWORD='{}'", "yf27NBRZc6H1-8y"),
    "German": ("Passwort: {}", "Fuchs8Bau!"),
    "German prose": ("Das Kennwort für das Portal lautet {}.", "Felix+Nuss0"),
    "French": ("mot de passe : {}", "Tournesol+31"),
    "Spanish": ("la contraseña del wifi es {}", "Girasol_2031"),
    "prose": ("Marcus reset my password to {} for today", "Hz7-umbrella-Kk"),
    "short word": ("guest wlan: brick-guest, pass: {}", "Torstr.1889"),
    "login pair": ("login for the demo is demo@kestrel / {}", "Demo!Kestrel9"),
    "quoted": ('smtp_pass: "{}"', "Zephyr+tundra27"),
    "passphrase": ('passphrase = "{}"', "correct horse battery staple"),
    "JSON": ('{{"password": "{}"}}', "letmein99"),
    "connection": ('conn = "Server=sql1;User ID=sa;Password={};"', "Marble.yarrow794+"),
    "Azure": ("AccountName=shop;AccountKey={};EndpointSuffix=core", BASE64),
    "Discord": ("bot {}", f"M{made(WIDE, 23)}.{made(WIDE, 6)}.{made(WIDE, 38)}"),
    "Discord webhook": ("post to {}", f"https://discord.com/api/webhooks/123456789012345678/{made(WIDE, 60)}"),
    "Telegram": ("bot {}", f"1742793575:AA{made(WIDE, 33)}"),
    "Twilio": ("twilio {}", f"SK{made(HEX, 32)}"),
    "Twilio token": ("twilio auth token {}", made(HEX, 32)),
    "Mailgun": ("mailgun key-{}", made(HEX, 32)),
    "DigitalOcean": ("{}", f"dop_v1_{made(HEX, 64)}"),
    "Vault": ("VAULT_TOKEN={}", f"hvs.{made(WIDE, 24)}"),
    "age": ("{}", f"AGE-SECRET-KEY-1{made(string.ascii_uppercase + string.digits, 58)}"),
    "Linear": ("{} for the board", f"lin_api_{made(WIDE, 40)}"),
    "OpenAI": ("{} for the tests", f"sk-{made(WIDE, 48)}"),
    "AWS pair": ("AWS creds: AKIAHQU7TPU6LPNVXL7F / {}", made(WIDE, 40)),
    "AWS secret": ("aws_secret_access_key = {}", made(WIDE + "+/", 40)),
    "hexadecimal": ("JWT_SIGNING_KEY={}", made(HEX, 64)),
    "bytes": ("app.secret_key = b'{}'", made(WIDE, 43) + "="),
    "tag": ('<add key="ApiToken" value="{}" />', made(HEX, 32)),
    "otp": ("otp seed {}", made(string.ascii_uppercase + "234567", 32)),
    "WireGuard": ("PrivateKey = {}", base64.b64encode(bytes(range(3, 250, 8))).decode()),
    "database": ("amqp://worker:{}@mq.io:5671/jobs", "hh39GSQ13EDV.6t"),
    "seed phrase": ("wallet seed phrase: {}", SEED),
    "mnemonic": ('mnemonic = "{}"', SEED + " " + SEED[::1].replace("ladder", "garlic")),
    "base64": ("the runner got {}", base64.b64encode(GITHUB.encode()).decode()),
    "XML": ("<password>{}</password>", "Kelp4Reef!x"),
    "Markdown": ("**Password**: `{}`", "Kelp4Reef!x"),
    "netrc": ("machine git.io login anna password {}", "Kelp4Reef!x"),
    "PIN": ("the PIN of the alarm is {}", "482193"),
    "changed PIN": ("I changed the locker PIN to {} today", "9917"),
    "new PIN": ("New PIN: {} for the safe", "482193"),
    "German PIN": ("Ich habe die PIN auf {} geändert", "9917"),
    "Spanish, with a colon": ("clave: {}", "Olivo#Verde7"),
    "behind the word": ("postgres password {} for staging", "fZmySagGMLNl0y"),
    "SQL": ("CREATE USER app IDENTIFIED BY '{}';", "Moor7See12"),
    "pair with a colon": ("Credentials: admin:{}", "Pflaume!8x"),
    "short word further on": ("the admin pw of the printer is {}", "Kolibri!92"),
    "Polish": ("hasło do wifi to {}", "Kamyk!Brzeg12"),
    "Chinese": ("wifi密码是{}", "Shitou#An12"),
    "Japanese": ("WiFiのパスワードは{}です", "Koishi#Kishi12"),
    "Italian": ("la password del wifi è {}", "Sasso!Riva12"),
    "German, changed": ("Das Passwort für den Router habe ich auf {} geändert", "Kiesel!Grund12"),
    "changed from": ("changed the password from {} to something longer", "Kiesel!Grund12"),
    "with a remark": ("password (router): {}", "Torf#Moor34"),
    "an arrow": ("password -> {}", "Torf#Moor34"),
    "a word with digits in it": ("she got in with user greta and password {}.", "schn33Ball"),
    "pass": ("the NAS login is bob with pass {}", "Torf#Moor34"),
    "WiFi": ("the guest wifi is {}", "Torf#Moor34"),
    "WLAN key": ("Netzwerkschlüssel ist {}", "Kiesel?Grund12"),
    "name and password": ("use bob:{} for the staging site", "Torf#Moor34"),
    "logged in": ("log in with anna and {}", "Torf#Moor34"),
    "keytool": ("keytool -genkey -keypass {} -alias x", "Flint+grove22"),
    "openssl": ("openssl enc -aes-256-cbc -k {} -in a.txt", "Qx81LsAv02pTz"),
    "openssl pass": ("openssl rsa -in k.pem -passin pass:{}", "Zw7ck!burg"),
    "zip": ("zip -P {} out.zip a b", "Tulpe#Feld8"),
    "7z": ("7z a -p{} out.7z docs", "Tulpe#Feld8"),
    "ldap": ("ldapsearch -D cn=admin -w {} -b dc=x", "Spr0sse!x"),
    "net use": ("net use z: \\\\srv\\share /user:bob {}", "Winter_88x!"),
    "sudo": ("echo '{}' | sudo -S apt update", "Torf#Moor34"),
    "docker login": ("echo {} | docker login -u bob --password-stdin", "Torf#Moor34"),
    "pgpass": ("db.host:5432:app:bob:{}", "Zaun+Pfahl4x9"),
    "mount": ("mount -o username=bob,password={} //h/s", "torf34moor"),
    "URL without a user": ("REDIS_URL=redis://:{}@h:6379", "torfmoor34x"),
    "recovery codes": ("recovery codes: {}", "8fk2-19sl 2ks8-x93j"),
    "cookie": ("Cookie: theme=dark; session={}", made(WIDE, 24)),
    "key in URL": ("https://maps.io/x?key={}", made(WIDE, 24)),
    "bot in URL": ("https://api.telegram.org/bot{}/getMe", "123456789:AA" + made(WIDE, 33)),
    "webhook of Zapier": ("{}", "https://hooks.zapier.com/hooks/catch/1234567/abcd12e"),
    "hook with a token": ("curl -d @x https://chat.kestrel.io/hooks/{}", made(WIDE, 26)),
    "key of Sentry": ("Sentry DSN https://{}@o12345.ingest.sentry.io/67890", made(HEX, 32)),
    "keys of Sentry": ("https://{}@sentry.kestrel.io/2", f"{made(HEX, 32)}:{made(HEX, 32)}"),
    "token in URL": ("git clone https://{}@git.kestrel.io/app.git", made(WIDE, 24)),
    "joined words": ("root pw for the staging vm: {}", "correct-horse-battery"),
    "joined words, said": ("The password of the NAS is {}.", "purple-otter-lamp-moss"),
    "joined words, German": ("Das Passwort für den Router lautet {}", "garten-lampe-fisch"),
    "a word and a number": ("My password for Netflix is {}.", "Tigerente2019"),
    "a word and a number, German": ("Passwort vom WLAN: {}", "panadero1975"),
    "a word and a number, Spanish": ("La contraseña del wifi es {}.", "panadero1975"),
    "a word and a number, French": ("Mon mot de passe Netflix est {}.", "Tigerente2019"),
    "a word and a number, Italian": ("La password del wifi è {}.", "panadero1975"),
    "a word and a number, Dutch": ("Mijn wachtwoord voor Netflix is {}.", "Tigerente2019"),
    "of a login": ("Login malte, Passwort {}", "Sommer2026"),
    "PIN of a card": ("Die Geheimzahl meiner Karte ist {}.", "5521"),
    "before a command": ("PGPASSWORD={} psql -h db", "opensesame"),
    "before a script": ("DB_PASSWORD={} ./manage.py migrate", "sunflowers"),
    "before a command with an option": ("RESTIC_PASSWORD={} backups run --tag x", "sunflowers"),
    "licence key": ("license key of the pdf lib: {}", "8F3A-99B2-77CD-1E4F"),
    "product key": ("product key for the old laptop is {}", "VK7JG-NPHTM-C97JM-9MPGT-3V66T"),
    "pass in URL": ("https://git.io/x?user=anna&access_token={}&v=2", made(WIDE, 32)),
}  # fmt: skip


@requirement("secrets:everyday-shapes")
@pytest.mark.parametrize("name", SHAPES)
def test_a_secret_goes_and_what_is_around_it_stays(name):
    around, secret = SHAPES[name]
    clean = scrub(around.format(secret)).text
    assert secret not in clean and "[REDACTED:" in clean
    before, after = around.format("\0").split("\0")
    assert clean.startswith(before[:3]) and clean.endswith(after[-3:])


@requirement("secrets:everyday-shapes")
def test_a_token_is_found_through_what_nobody_sees_and_through_a_line_break():
    hidden = GITHUB[:12] + "\u200b" + GITHUB[12:20] + "\u2060" + GITHUB[20:]
    assert scrub(f"push with {hidden} now").text == "push with [REDACTED:GITHUB_TOKEN] now"
    parted = GITHUB[:22] + "\n    " + GITHUB[22:]
    assert scrub(f"push with {parted}\nthen wait").text == "push with [REDACTED:GITHUB_TOKEN]\nthen wait"
    family = "the family \U0001f468\u200d\U0001f469\u200d\U0001f467 came"
    assert scrub(family).text == family


@requirement("secrets:everyday-shapes")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("card 4111.1111.1111.1111 please", "CREDIT_CARD"), ("SSN 536.90.4399", "SSN"),
        ("it answers on 2a00:1450:4001:82b::200e", "IP_ADDRESS"), ("mail anna [at] kestrel [dot] org", "EMAIL"),
        ("mail anna(at)kestrel(dot)co(dot)uk", "EMAIL"), ("mail anna at kestrel dot org", "EMAIL"),
        ("anna@kestrel(dot)org", "EMAIL"), ("0049 171 2345678", "PHONE"), ("(0171) 2345678", "PHONE"),
        ("06.12.34.56.78", "PHONE"), ("call 415 555 0134 tomorrow", "PHONE"), ("ruf mich an: 030 / 123 45 67", "PHONE"),
        ("SSN 536904399", "SSN"), ("his social security number 536904399", "SSN"), ("CVV: 847", "CREDIT_CARD"),
    ],
)  # fmt: skip
def test_personal_data_in_other_spellings_goes(text, kind):
    assert scrub(text).types == (kind,)


# Of every sort of text that speaks of secrets and holds none.
PLAIN = """
the token is expired.
The passphrase is optional.
The password for the account is expired2.
The password for staging is stored in vault42.
Password for production to rotate in 2026
The password for release2024 is set.
Is the password correct? No: expired.
password = os.environ['DB_PASSWORD']
token = get_token(user)
DB_PASSWORD=postgres
PASSWORD=changemenow
Set DB_PASSWORD=correcthorse in the pipeline
password=somevariable
connect(user=name, password=password2old)
    password=pwd2backup,
ACCESS_TOKEN=yourtokenhere
The primary key 2: orders
def f(token: AccessToken) -> None:
private_key = cast(RSAPrivateKey, key)
token: Optional[str] = None
connect(host=host, password=settings.password, port=5432)
client = Client(api_key=api_key, secret=secret_v2)
self.secret_key = secrets.token_urlsafe(32)
passwd: str | None = field(default=None, repr=False)
if password != confirm_password: raise ValueError("passwords differ")
password = f"{prefix}-{user.id}"
token = response.json()["access_token"]
headers = {"Authorization": f"Bearer {token}"}
curl -H "Authorization: Bearer $TOKEN" https://api.kestrel.io
curl -u "$USER:$PASSWORD" https://api.kestrel.io
export API_KEY="${VAULT_API_KEY}"
password: {{ vault_db_password }}
password: <your password>
"password": "string"
"token": "The token of the session, valid for an hour"
getpass("Password: ")
const secret = await vault.read(path);
let token = tokens[0];
private static final String PASSWORD_KEY = "user.password";
secret: ref(db-credentials)
- name: DB_PASSWORD
token_type: bearer
grant_type=refresh_token
password_hash = argon2.hash(raw, salt=salt)
The private key is stored in ~/.ssh/id_ed25519 and never leaves the machine.
secret_name = "prod/shop/postgres"
Our password policy is: at least 12 characters, one digit.
The access token was revoked on 2026-03-02T10:15:00Z.
The token limit is 128k, the secret ingredient is saffron.
Passwort: siehe Tresor
Das Passwort ist abgelaufen.
Le mot de passe est incorrect.
La contraseña es obligatoria.
see RFC 6749 Section 4.1.2.1 and RFC 7519
version 10.4.11.2 of the driver, built from 3.11.0.4
the commit 3f2a91c77b0de5a1c4428e9d4f5a6b7c8d9e0f12 fixes the token parser
sha256: c0ffee254729296a45a3885639ac7e10f9d54979f0a1c4b3e2d1908f7e6d5c4b
uuid 123e4567-e89b-12d3-a456-426614174000 is the secret's id
std::vector<Token>::iterator it = tokens::begin();
Use user@example.org in the fixtures.
The seed phrase is written on paper and kept in the safe of the bank in the old town.
https://user:password@host/path
ids = [15424829579845884309, 1898028439751125927, 4539578013580]
pass -> None; pass: the 3rd attempt
pass the salt to user2 please
password reset for user42 failed
my pw manager is KeePass2
the password field has id=pw1
def login(user: User, password: str) -> Session2: ...
passwords -> list[str]
curl -w '%{http_code}' https://ci.kestrel.io
tar -k x9Y.tar; make -k All2; sort -k 2n File1
zip -P is insecure, use 7z
echo "$PASSWORD" | sudo -S true
log in with Google2 or with a passkey
the wifi key is printed on the router
the network key of the room is A4 in this song
changed the password from the old one to a new one
backup codes are in the safe
Cookie: session=None
a:1: b:2: note:Done! 10:30:59.123
密码已过期
パスワードは8文字以上です
hasło wygasa za 30 dni
the 06 07 08 09 10 of the draw
Password policy: minimum-length-twelve
The password reset flow: out-of-band-only
The password is change-me-please
DB_PASSWORD=required in the form
PASSWORD=forwarded to the child process
serial number of the washer: 8F3A-99B2-77CD-1E4F
product code ABCD-1234-5678
""".strip().splitlines()


@requirement("secrets:plain-text-stays")
@pytest.mark.parametrize("text", PLAIN)
def test_prose_and_code_about_secrets_stay_as_they_are(text):
    assert scrub(text).text == text


@requirement("secrets:plain-text-stays")
def test_this_package_and_its_pages_hold_no_secrets():
    """Neither does any file of the packages here but those that keep keys to test with; see docs/performance.md."""
    from pathlib import Path

    root = Path(__file__).parents[2]
    files = [*(root / "python").rglob("*.py"), *(root / "docs").rglob("*.md")]
    found = {file.name: scrub(file.read_text("utf-8"), kinds=SECRET_KINDS).types for file in files}
    assert {name: types for name, types in found.items() if types} == {}


SHORT_WORD = st.text(string.ascii_letters + "_", max_size=15)


@given(SHORT_WORD | st.sampled_from([f"{need}{'Ab_' * 5}"[:15] for one in SECRETS for need in one.needs]))
def test_one_short_word_without_digits_and_signs_holds_nothing(word):
    assert scrub(word) == _scrubbed(word, ALL_KINDS)


def test_strength_tells_words_from_what_was_made():
    words = (
        "expired optional AccessToken getHTTPSConnection2 snake_case_name kebab-case-name Übergangslösung utf-8 v1.2.3"
    )
    assert [word for word in words.split() if strength(word) > Strength.WEAK] == []
    chance = [made(WIDE, RANDOM.randrange(20, 50)) for _ in range(500)]
    assert sum(strength(value) == Strength.RANDOM for value in chance) >= 498
    assert all(strength(made(HEX, 40)) == Strength.RANDOM for _ in range(100))


@requirement("secrets:kinds")
def test_a_person_chooses_the_kinds(tmp_path):
    text = f"mail a@b.example, call +49 30 901820, use {GITHUB}"

    def with_setting(value: str, **more: str) -> str:
        settings, _ = load_settings({"redact": value, **more}, {"CONTEXT_GRAPH_HOME": str(tmp_path)})
        return scrub(text, kinds=settings.redacted).text

    mail, phone, key = "[REDACTED:EMAIL]", "[REDACTED:PHONE]", "[REDACTED:GITHUB_TOKEN]"
    assert with_setting("secrets,pii") == with_setting("all") == f"mail {mail}, call {phone}, use {key}"
    assert with_setting("secrets") == f"mail a@b.example, call +49 30 901820, use {key}"
    assert with_setting("secrets, email") == f"mail {mail}, call +49 30 901820, use {key}"
    assert with_setting("all,-PHONE") == f"mail {mail}, call +49 30 901820, use {key}"
    assert with_setting("none") == text
    assert with_setting("all", redact_pii="false") == with_setting("secrets")
    (tmp_path / "config.toml").write_text('redact = ["secrets", "-GITHUB_TOKEN"]\n', "utf-8")
    assert scrub(text, kinds=load_settings({}, {"CONTEXT_GRAPH_HOME": str(tmp_path)})[0].redacted).text == text
    with pytest.raises(InvalidInput, match=r"setting redact \(flag\): .*one of .*EMAIL"):
        with_setting("secrets,EMIAL")


def test_the_kinds_of_the_patterns_are_those_of_the_settings():
    assert {pattern.type for pattern in SECRETS} | {"PASSWORD", "SECRET", "SEED_PHRASE"} == SECRET_KINDS
    assert {pattern.type for pattern in PII} == PERSONAL_KINDS
    assert Settings().redacted == ALL_KINDS
