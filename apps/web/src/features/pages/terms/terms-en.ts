import type { LegalText } from "./legal-text.ts";

/** One long text: a function, as it names the brand. */
export const termsEn: LegalText = ({ name, legalName, operatorAddress, sisters }) => ({
  terms: {
    title: "Terms of Service",
    lead: `${name} is a community for gay men, run by volunteers of the ${legalName}. These terms are the agreement between you and us. By opening an account you accept them.`,
    sections: [
      {
        title: "1. You must be 18",
        paragraphs: [
          "You must be at least 18 years old, and of age where you live. Members may show nudity. We close the account of anyone who is younger, and we pass on to the authorities what the law tells us to.",
        ],
      },
      {
        title: "2. Your account",
        paragraphs: ["An account is for one person. You are responsible for what is done with it. In particular:"],
        items: [
          "Register with an address that is yours, and keep it in order: it is how you get back in.",
          "Keep your password and your login links to yourself, and log out of devices that others use. Account shows every device that is logged in and ends any of them.",
          "What you tell in your profile about your age must be true. The rest is up to you.",
          "Tell us at once if you think that somebody else is using your account.",
        ],
      },
      {
        title: "3. What is not allowed",
        paragraphs: ["You may not:"],
        items: [
          "post, ask for or hint at anything sexual that involves minors;",
          "threaten, stalk, harass, blackmail or out anybody;",
          "attack people for their origin, colour, faith, body, gender, health or HIV status;",
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
        ],
      },
      {
        title: "5. What you post",
        paragraphs: [
          "It stays yours. You give us the licence that we need to run the site, and no more: to store it, to make smaller versions of pictures, and to show it to those whom your settings allow. The licence is free of charge, it is not exclusive, we do not pass it on except to the providers who run our machines, and it ends when you delete the content or your account. Messages that you sent stay with the one who got them until you unsend them or your account is erased.",
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
          "You can delete your account at any time in Account. You are invisible at once; for 28 days a login link brings everything back; then it is erased. We may suspend or end accounts that break these terms, and we say why. If we have to close the site we tell you 30 days before, so that you can take your data with you.",
        ],
      },
      {
        title: "10. Disputes and law",
        paragraphs: [
          "Write to us first: most things can be solved by talking. What cannot is decided by binding arbitration of a single arbitrator under the Consumer Arbitration Rules of the American Arbitration Association, in Arizona or by video, instead of before a court or a jury. Small claims courts stay open to both of us, and claims are brought by each for himself and not as a class. The law of the State of Arizona applies, without its rules on conflicts of law. If you are a consumer in a country whose law gives you other courts or rights that cannot be waived, you keep them.",
        ],
      },
      {
        title: "11. Changes",
        paragraphs: [
          "When these terms change in more than wording, we tell you by notification or mail at least 14 days before. If you do not agree you can delete your account until then; using the site afterwards means that you accept.",
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
    lead: "That you are here at all is nobody's business. This is what we collect, why, and how you get rid of it.",
    sections: [
      {
        title: "What we collect",
        items: [
          "Your account: email address, the name for our mail to you, a scrambled form of your password if you set one, your language, and the text of what you accepted when you registered.",
          "Your profile, as far as you fill it in: name, birthdate (others see the age alone), height, weight, words, characteristics, pictures, and health details with the audience that you choose for each.",
          "What you do here: likes, notes and tags (only you ever read those), blocks, messages, votes and reports.",
          'Devices: the kind of browser and system ("Chrome on Android"), and when each session was last used. No fingerprint, no advertising id.',
          "Letters that you write to us.",
          "Notices that you file about a picture or about illegal content, with an account or without: your name, address and words, erased 180 days after the decision. A picture that you send along is compared and never stored.",
        ],
        paragraphs: [
          "Pictures are decoded and drawn anew when you upload them, so that place, camera and time that were hidden in the file are gone before it is stored.",
        ],
      },
      {
        title: "Your position",
        paragraphs: [
          "You choose what to report: a point scattered around the city (the default), a point that you drag on the map, or your device's location.",
          "Before a position is sent, your device rounds it to a cell of a fixed grid: about 550 metres unless you choose 1.1 or 5 kilometres. Our server rounds it again. We never store, log, queue or pass on the coordinates themselves. Only if you choose exact, and confirm it, is the cell a few metres wide.",
          "What others see is a point drawn at random inside that cell, the same for everybody. Distances, order, the map, area messages and filters use such points on both sides. A move is shown once you have stayed somewhere for up to 15 minutes, and a position is forgotten 26 hours after your last report. When you hide, nobody sees or counts you from the next request on.",
          "What remains: in an area with few houses a cell may hold only yours, and whoever watches for long can see which cells you move through. Choose larger cells or hide there.",
        ],
      },
      {
        title: "What we use it for",
        paragraphs: [
          "To run what you came for: to show you to those who may see you, to deliver messages, to keep the community safe and to answer you. We have no advertising, sell nothing about you, and do not build profiles of you for anybody. The basis is the contract between us, your consent for location and for what you tell about health and sexuality, and our legitimate interest in keeping the site safe.",
        ],
      },
      {
        title: "Who else gets it",
        items: [
          `Our sister brands ${sisters} share one community with us. You appear there only if you said so, for each of them, and you can take it back at any time.`,
          "Cloudflare runs the machines, the database and the storage for us, and delivers our mail, under a contract that forbids using the data otherwise.",
          'If you turn on push messages, your browser\'s maker delivers them. They are encrypted and hold no content: "You have a new message", nothing more.',
          "Where the law asks for a proof of age, your own wallet shows it to us and nobody else hears of it. We see that you are over 18, and keep the day, the method and a number that keeps one proof from opening two accounts, as long as you have your account. Which country a request comes from is looked at and not stored.",
          "Authorities, when the law compels us. We give as little as we may, and tell you unless it is forbidden.",
        ],
        paragraphs: ["Pages load nothing from third parties: map, fonts and pictures all come from us."],
      },
      {
        title: "Cookies and storage on your device",
        paragraphs: [
          "Five cookies, all of them necessary: one holds your session; one only says that you are logged in; one lets us know this device again, so that nobody who guesses at your password keeps you out; one says for ten minutes that this device asked for a login link; and one, where a proof of age is needed to join, names that proof for an hour. Scripts can read none of them but the second, and logging out clears them all. In your browser's storage we keep your choices (theme, language, NSFW, map view, the point that you dragged), your own profile for a faster start, and messages that wait to be sent. Logging out clears it.",
        ],
      },
      {
        title: "How long",
        paragraphs: [
          "As long as you have your account. Expired positions go within minutes, login links after ten minutes, sessions after 180 days without use. When you delete your account it is invisible at once, and after 28 days every row, picture and smaller version of it is erased. What stays is an anonymous line in the log of moderation, which names nobody.",
        ],
      },
      {
        title: "Your rights",
        paragraphs: [
          "In Account you can see and correct your data, download all of it as one ZIP, withdraw consent (location, sister brands, notifications), and delete everything. You can also object, ask us to restrict what we do with your data, and complain to a data protection authority. Write to us for anything that the buttons do not do: we answer within 30 days.",
        ],
      },
      {
        title: "Security",
        paragraphs: [
          "Everything travels encrypted. Passwords are stored as scrypt hashes, session tokens and login links as hashes alone. Every request is checked for what its sender may see, private pictures included. Logs hold no names, addresses or positions. No system is perfect: if data of yours should ever get out, we tell you without delay.",
        ],
      },
      {
        title: "Transfer to the USA",
        paragraphs: [
          "The project is at home in the United States, and your data may be processed there and in the other places where our provider has machines. Where the law of your country asks for it, this rests on the European Commission's standard contractual clauses and the Data Privacy Framework.",
        ],
      },
      {
        title: "Adults only, and changes",
        paragraphs: [
          "We knowingly keep no data of anyone under 18. When this policy changes in more than wording we tell you before.",
          `Responsible: ${legalName}, ${operatorAddress}.`,
        ],
      },
    ],
  },
});
