/**
 * Which passwords are guessed first: those that leaked most often (ASVS 5.0, 6.2.4), by the list of zxcvbn-ts, some of our
 * languages' own, and either with up to four digits or signs around it ("michael1985").
 */
const OWN =
  `1234567890 12345678910 123456789a 0123456789 1234567891 123456789q 1q2w3e4r5t qwertyuiop qwerty12345 qwerty123456
  password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 mypassword mypassword1 changeme123 letmein123
  iloveyou123 iloveyou12 iloveyousomuch welcome123 welcome1234 administrator admin12345 admin123456 abcdefghij abcdefghijk
  abc1234567 abcd123456 a123456789 aa12345678 aaaaaaaaaa 1111111111 0000000000 1212121212 9876543210 0987654321 1122334455
  1234512345 1029384756 147258369a 123qweasdzxc 1qaz2wsx3edc qazwsxedcrfv zaq12wsxcde3 asdfghjkl1 asdfghjkl123 zxcvbnm123
  q1w2e3r4t5 q1w2e3r4t5y6 football123 baseball123 basketball superman123 spiderman1 liverpool1 manchester sunshine123
  princess123 michael123 charlie123 computer123 internet123 samsung123 trustno123 whatever123 starwars123 pokemon123
  dragon12345 monkey12345 shadow12345 master12345 freedom123 blink182182 christopher chocolate1 strawberry butterfly1
  alexander1 jonathan123 elizabeth1 leonardo123 barcelona1 realmadrid realmadrid1 juventus123 chelsea123 arsenal123
  contraseña contrasena contraseña1 contrasena123 teamotanto teamomucho tequiero123 hola123456 hola12345678 secret12345
  1234qwerasdf qwer1234asdf asdf1234asdf qwerasdfzxcv 12qwaszx12 google12345 facebook123 instagram1 whatsapp123 testtest123
  testing123 test123456 demo123456 guest12345 qwertyqwerty qweasdzxc123 asdfasdfasdf 12345qwert 123456abcd 1234abcd1234`.split(
    /\s+/,
  );

/** So many characters around a common password do not make it a good one. */
const PADDING_MAX_CHARS = 4;

let known: Promise<ReadonlySet<string>> | undefined;

export async function isCommonPassword(password: string): Promise<boolean> {
  // 380 kB of words, read when a password is first chosen and not at each start of the worker.
  known ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...OWN, ...dictionary["passwords-common"]]),
  );
  const common = await known;
  const whole = password.normalize("NFKC").toLowerCase();
  const half = whole.slice(0, whole.length / 2);
  if (common.has(half) && whole === half + half) return true;
  for (let before = 0; before <= PADDING_MAX_CHARS; before++) {
    for (let after = 0; before + after <= PADDING_MAX_CHARS; after++) {
      const core = whole.slice(before, whole.length - after);
      const padding = whole.slice(0, before) + whole.slice(whole.length - after);
      if (common.has(core) && !/\p{L}/u.test(padding)) return true;
    }
  }
  return false;
}
