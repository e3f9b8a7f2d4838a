import { textNames } from "@lambda/contract/profile-texts";
import type { LegalText } from "./legal-text.ts";

export const termsEn: LegalText = ({ name, legalName, operatorAddress, sisters }) => ({
  terms: {
    title: "Terms of Service",
    lead: `${name} is a community for gay men, run by volunteers of the ${legalName}. These terms are the agreement between you and us. By opening an account you accept them.`,
    sections: [
      {
        title: "1. You must be 18",
        paragraphs: [
          "You must be at least 18 years old, and of age where you live. Members may show nudity. We close the account of anyone who is younger, and we pass on to the authorities what the law tells us to.",
          "Where the law asks for it, you prove your age before you see explicit pictures, or before you join. Until then such pictures, and those that nobody has rated yet, stay pixelated for you. From some places nobody can join.",
        ],
      },
      {
        title: "2. Your account",
        paragraphs: ["An account is for one person. You are responsible for what is done with it. In particular:"],
        items: [
          "Register with an address that is yours, and keep it in order: it is how you get back in.",
          "Keep your password and your login links to yourself, and log out of devices that others use. Account shows every device that is logged in and ends any of them.",
          "What your profile says about your age must be true. The rest is up to you.",
          "Tell us at once if you think that somebody else is using your account.",
        ],
      },
      {
        title: "3. What is not allowed",
        paragraphs: ["You may not:"],
        items: [
          "post, ask for or hint at anything sexual that involves minors;",
          "threaten, stalk, harass, blackmail or out anybody;",
          "attack people for their origin, color, faith, body, gender, health or HIV status;",
          "show pictures of people who did not agree to it, or pass on pictures that were meant for you alone;",
          "pretend to be somebody else, or let a program write for you without saying so;",
          "sell sex, drugs or anything else, advertise, beg or send the same message to many;",
          "try to find out where a member is beyond what the site shows, collect profiles, or use the site through programs that evade its limits;",
          "disturb the service, look for ways around its protection outside of a responsible report to us, or use it for anything that is against the law.",
        ],
      },
      {
        title: "4. How rules are kept",
        paragraphs: [
          "Members report what breaks these rules. Most reports are decided by a jury of members who know neither side; some, such as anything about minors, threats, intimate pictures or pictures that were not public, by staff alone. Staff confirm every suspension of more than three days and every ban. A decision can be a warning, a hidden picture, a suspension for a time or a ban; it names its rule and its reason. You can appeal once. Your own standing, with every decision about you, is in the Bad Boy Dungeon.",
          "What machines do: no program judges your private messages by what they say, and none warns, suspends or bans anybody. Programs count, and slow down anyone who does too much. They refuse the same first message to a second member, keep a first message away from a reader who listed a word in it, and refuse copies of removed pictures and new accounts for the address of a banned one. They hold back what looks like a picture on a list of illegal ones, and compare new accounts with what a banned member left, so that our staff can look. They hide a picture for the time being when somebody says, in a complete notice with a confirmed address, that it shows them without consent. And they count the votes of the players of our games, who judge whether a picture is explicit or a text written by a program; what they cannot decide goes to staff.",
          "What people do: every warning, hidden picture, suspension and ban is decided by a jury or by staff. You get a statement of reasons: what was decided, for how long, on which facts, under which rule, whether a program had a part in it, and what you can do. You have 30 days to appeal, and so has the member who reported you; people other than those who decided look at it, or the only admin if there is just one. You can also go to court, and in the European Union to a certified dispute settlement body.",
          "Without an account, anybody can report illegal content (/notice) or an intimate picture of them (/remove-image). A complete notice about an intimate picture hides at once what matches a copy attached to it, three pictures of one member at most; an address alone hides nothing. Staff decide about all within 48 hours. Its owner learns that, never by whom, and can object once within 30 days after the decision.",
          "Misuse: reports that turn out wrong again and again count less and get no jury. For a year after a false notice, no pictures are hidden at once for its sender. One sender can have at most 20 pictures hidden that nobody has judged. A ban lasts twelve months against the same address; a new account on the same device or with the same pictures is looked at by staff.",
          "Each account may write, store and read only so much in a day; when something is refused, the site says so. Lists and the map are ordered by distance, and nobody can pay to be shown higher.",
        ],
      },
      {
        title: "5. What you post",
        paragraphs: [
          "It stays yours. You give us the license that we need to run the site, and no more: to store it, to make smaller versions of pictures, and to show it to those whom your settings allow. The license is free of charge, it is not exclusive, we do not pass it on except to the providers who run our machines, and it ends when you delete the content or your account. Messages that you sent stay with the one who got them until you unsend them or your account is erased.",
          "You promise that you may post what you post. We may remove what breaks these terms.",
        ],
      },
      {
        title: "6. Meeting people",
        paragraphs: [
          "We do not check who members are. Meet first in public, tell a friend, and trust your instinct. What happens between members, here or outside, is between them.",
        ],
      },
      {
        title: "7. Dues and credits",
        paragraphs: [
          "Membership is free. What contributing and Pro membership cost is on the page Membership Dues. Volunteer credits are thanks for helping; they have no value in money.",
        ],
      },
      {
        title: "8. Liability",
        paragraphs: [
          "The site is run by volunteers and offered as it is, without warranty of any kind. As far as the law allows, we are not liable for indirect or consequential damage, for lost data, for what members say or do, or for times when the site is not available; and our liability in total is limited to what you paid us in the twelve months before. Nothing here limits liability that the law does not let us limit, such as for intent or gross negligence.",
        ],
      },
      {
        title: "9. Ending it",
        paragraphs: [
          "You can delete your account at any time in Account. You are invisible at once; for 28 days a login link brings everything back; then it is erased. We may suspend or end accounts that break these terms, and we say why. If we have to close the site we tell you 30 days in advance, so that you can take your data with you.",
        ],
      },
      {
        title: "10. Disputes and law",
        paragraphs: [
          "Write to us first: most things can be solved by talking. What cannot is decided by binding arbitration of a single arbitrator under the Consumer Arbitration Rules of the American Arbitration Association, in Arizona or by video, instead of before a court or a jury. Small claims courts stay open to both of us, and each of us brings claims individually and not as a class. The law of the State of Arizona applies, without its rules on conflicts of law. If you are a consumer in a country whose law gives you other courts or rights that cannot be waived, you keep them.",
        ],
      },
      {
        title: "11. Changes",
        paragraphs: [
          "When these terms change in more than wording, we tell you by notification or mail at least 14 days before. If you do not agree you can delete your account until then; using the site afterward means that you accept.",
        ],
      },
      {
        title: "12. Contact",
        paragraphs: [`${legalName}, ${operatorAddress}. The contact page reaches us as well.`],
      },
    ],
  },
  privacy: {
    title: "Privacy Policy",
    lead: "That you are here at all is nobody else's business. This is what we collect, why, and how you get rid of it.",
    sections: [
      {
        title: "What we collect",
        items: [
          "Your account: email address, the name for our mail to you, a scrambled form of your password if you set one, your language, and the text of what you accepted when you registered.",
          `Your profile, as far as you fill it in: name, birthdate (others see only your age), ${Object.values(textNames("en")).join(", ")}, characteristics, pictures, and health details with the audience that you choose for each.`,
          "If you ask to be checked: three stills of you in a pose, which up to 150 members elsewhere, or our staff, compare with your public pictures. No software measures your face. They are deleted with the verdict, after 37 days at the latest, unless a report keeps copies with its case; the month of your badge stays for a year. That you are out tonight, until when and what for, if you say so; it is deleted when it ends. Of whom you said that he is the man in his pictures, for a year; only you read it, others see how many said it of each other, rounded and from three on. What you do here: likes, notes and tags (only you ever read those), blocks, messages, votes and reports.",
          'Devices: the kind of browser and system ("Chrome on Android"), and when each session was last used. No fingerprint, no advertising id.',
          "Letters that you write to us, erased 180 days after we are done with them, or with your account.",
          "Notices that you file about a picture or about illegal content, with an account or without: your name, address and words, erased 180 days after the decision. A picture that you send along is compared and never stored.",
        ],
        paragraphs: [
          "Pictures are decoded and redrawn when you upload them, so that place, camera and time that were hidden in the file are gone before it is stored.",
        ],
      },
      {
        title: "Your position",
        paragraphs: [
          "You choose what to report: a random point around the city (the default), a point that you drag on the map, or your device's location.",
          "Before a position is sent, your device takes the center of the cell that you are in. The cells are your own: where they begin and end differs from member to member, and no other member can know it. A cell is about 550 meters wide unless you choose 1.1 or 5.6 kilometers. Our server finds the cell again. We never store, log, queue or pass on the coordinates themselves. Only if you choose exact, and confirm it, is the cell about 11 meters wide.",
          "What others see is one fixed point in each of your cells, the same for everybody and each time. Distances, order, the map, area messages and filters use such points on both sides. A change of cell is shown when you have been there for 15 minutes; a point that you drag, a new precision, or being seen far away can show at once. A position is forgotten 26 hours after your last report. When you hide, no member sees or counts you from the next request on. Visitors without an account see how many men whole districts have, from ten on and less a random part; that is drawn once a day.",
          "So that a place does not flicker between two cells, we remember which of your cells your device's location used, at most 16, encrypted, for up to half a year after the last day. Your device remembers the points where it rested, and never sends them. A button in Account forgets both.",
          "What remains: whoever sees your marker knows that you are within a cell's width of it. In an area with few houses a cell may hold only yours, and whoever watches for long can see in which cells you stay. Choose larger cells or hide there.",
        ],
      },
      {
        title: "What we use it for",
        paragraphs: [
          "To run what you came for: to show you to those who may see you, to deliver messages, to keep the community safe and to answer you. We have no advertising, sell nothing about you, and do not build profiles of you for anybody. The basis is the contract between us, your consent for location and for what you tell us about health and sexuality, and our legitimate interest in keeping the site safe.",
        ],
      },
      {
        title: "Who else gets it",
        items: [
          `Our sister brands ${sisters} share one community with us. You appear there only if you said so, for each of them, and you can take it back at any time.`,
          "Cloudflare runs the machines, the database and the storage for us, and delivers our mail, under a contract that forbids using the data otherwise.",
          'If you turn on push messages, your browser\'s maker delivers them. They are encrypted and hold no content: "You have a new message", nothing more.',
          "Where the law asks for a proof of age, your own wallet shows it to us and nobody else hears of it. We see that you are over 18, and keep the day, the method and a number that keeps one proof from opening two accounts, as long as you have your account. We look at which country a request comes from, and do not store it.",
          "Authorities, when the law compels us. We give as little as we may, and tell you unless it is forbidden.",
        ],
        paragraphs: ["Pages load nothing from third parties: map, fonts and pictures all come from us."],
      },
      {
        title: "Cookies and storage on your device",
        paragraphs: [
          "Eight cookies, all of them necessary: one holds your session; one only says that you are logged in; one lets us recognize this device, so that nobody who guesses at your password keeps you out; one says for ten minutes that this device asked for a login link; one, where a proof of age is needed to join, names that proof for an hour; one says for sixteen seconds in which part of the world you wrote last and, encrypted, when, so that you read what you wrote; and one, called __Host-used, holds keyed hashes of the last four accounts used on this device, so that a banned member does not simply come back. One, if you set an app lock, says that this device is unlocked. Scripts can read none of them but the second and that one. Logging out clears them all; in __Host-used, only the hash of an account that is suspended or banned stays, for 180 days at most. It names nobody, and our server keeps no copy of it. Your browser's own settings remove it. In your browser's storage we keep your choices (theme, language, NSFW, map view, the point that you dragged), your own profile for a faster start, and messages that wait to be sent. Logging out clears it.",
        ],
      },
      {
        title: "How long",
        items: [
          "An anonymous line in the log of moderation, which names nobody.",
          "What was reported, until the case is settled and the 30 days to appeal are over. A stand-in without name or address takes your place in it.",
          "Where a case is about a minor, or the law or our staff ask for it: an encrypted copy of the case and of what the account was, for a year. Only two of our staff together can open it, and we may not be allowed to tell you.",
          "After a ban, for twelve months: keyed hashes of your mailbox and account, and encrypted hashes of your public pictures. They are deleted when the ban is lifted.",
          "Hashes of pictures that were removed at somebody's request, without an owner. Every other picture's hash is deleted with the picture.",
          "Backups of database and pictures, which reach back 30 days at most and are used for nothing but repair.",
        ],
        paragraphs: [
          "As long as you have your account. Expired positions go within minutes, login links after ten minutes, sessions after 180 days without use. Keyed sketches of your first messages, from which nobody can read the text, go after 30 days. When you delete your account it is invisible at once, and after 28 days its rows and pictures are erased, except for what is listed here.",
        ],
      },
      {
        title: "Your rights",
        paragraphs: [
          "In Account you can see and correct your data, download all of it as one ZIP that other sites of this software open, withdraw consent (location, sister brands, notifications), and delete everything. You can also object, ask us to restrict what we do with your data, and complain to a data protection authority. Write to us for anything that the buttons do not do: we answer within 30 days.",
        ],
      },
      {
        title: "Security",
        paragraphs: [
          "Everything travels encrypted. Passwords are stored as scrypt hashes, session tokens and login links as hashes alone. Every request is checked for what its sender may see, private pictures included. Logs hold no names, addresses or positions. No system is perfect: if your data should ever get out, we will tell you without delay.",
        ],
      },
      {
        title: "Transfer to the USA",
        paragraphs: [
          "The project is based in the United States, and your data may be processed there and in the other places where our provider has machines. Where the law of your country asks for it, this rests on the European Commission's standard contractual clauses and the Data Privacy Framework.",
        ],
      },
      {
        title: "Adults only, and changes",
        paragraphs: [
          "We do not knowingly keep data about anyone under 18. When this policy changes in more than wording, we tell you beforehand.",
          `Responsible: ${legalName}, ${operatorAddress}.`,
        ],
      },
    ],
  },
});
