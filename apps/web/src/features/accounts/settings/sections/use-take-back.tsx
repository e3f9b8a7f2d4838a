import { BRANDS } from "@lambda/brands";
import { defineCopy } from "@lambda/contract/copy";
import type { Disclosure } from "@lambda/contract/disclosures";
import { isolate } from "@lambda/contract/isolate";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { type ReactNode, useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { ConfirmSheet } from "../../../../components/ConfirmSheet.tsx";
import { displayName } from "../../../../format/display-name.ts";
import { useCopy } from "../../../../format/i18n.ts";
import { dateAndTime } from "../../../../format/time.ts";

const takeBackCopy = defineCopy({
  en: {
    title: "Take this back too?",
    text: "Someone with your unlocked phone could have opened this in the last 30 days: nobody gave a password or another proof. Untick what was you.",
    gone: "Someone you can't see now",
    unblocked: (name: string) => `You unblocked ${isolate(name)}`,
    album: (name: string) => `${isolate(name)} sees your private pictures`,
    shown: (name: string) => `${isolate(name)} sees you, though you're discreet`,
    shownHelp: "If you wrote to him, this blocks him.",
    open: "You stopped being discreet",
    shared: (brand: string) => `${brand} shows you`,
    unhidden: "You stopped hiding",
    stay: "Your stay abroad shows more of you",
    picture: "A private picture is public",
    voice: "Your private voice introduction is public",
    limits: "More men may text you first",
    health: "More men see your health details",
  },
  es: {
    title: "¿Deshacer también esto?",
    text: "Alguien con tu teléfono desbloqueado pudo abrir esto en los últimos 30 días: nadie dio una contraseña ni otra prueba. Desmarca lo que hiciste tú.",
    gone: "Alguien a quien ahora no ves",
    unblocked: (name) => `Desbloqueaste a ${isolate(name)}`,
    album: (name) => `${isolate(name)} ve tus fotos privadas`,
    shown: (name) => `${isolate(name)} te ve, aunque estás en modo discreto`,
    shownHelp: "Si le escribiste, esto lo bloquea.",
    open: "Saliste del modo discreto",
    shared: (brand) => `${brand} te muestra`,
    unhidden: "Dejaste de ocultarte",
    stay: "Tu estancia en el extranjero muestra más de ti",
    picture: "Una foto privada es pública",
    voice: "Tu presentación de voz privada es pública",
    limits: "Más hombres pueden escribirte primero",
    health: "Más hombres ven tus datos de salud",
  },
});

/**
 * Before all sessions end: shows what ends with them, so that the member can keep what they opened themselves. If it cannot be read, nothing is
 * kept, because the member may be in a hurry.
 */
export function useTakeBack(label: string, act: (keep: number[]) => void): { start: () => void; sheet: ReactNode } {
  const copy = useCopy(takeBackCopy);
  const [listed, setListed] = useState<readonly Disclosure[]>([]);
  const [keep, setKeep] = useState<readonly number[]>([]);
  const start = async () => {
    const items = await trpcClient.sessions.disclosures.query().then(
      (answer) => answer.items,
      () => [],
    );
    if (items.length === 0) return act([]);
    setKeep([]);
    setListed(items);
  };
  const close = () => setListed([]);
  const confirm = () => {
    close();
    act([...keep]);
  };
  const textOf = ({ kind, profileName, brand }: Disclosure) => {
    const name = profileName === null ? copy.gone : displayName(profileName);
    if (kind === "shared") return copy.shared(BRANDS.find(({ id }) => id === brand)?.name ?? "");
    const text = copy[kind];
    return typeof text === "string" ? text : text(name);
  };
  const helpOf = ({ kind, tsCreated }: Disclosure) =>
    [dateAndTime(tsCreated), ...(kind === "shown" ? [copy.shownHelp] : [])].join(" · ");
  const sheet = (
    <ConfirmSheet
      open={listed.length > 0}
      onClose={close}
      title={copy.title}
      action={<Button variant="primary" label={label} onClick={confirm} />}
    >
      <p>{copy.text}</p>
      {listed.map((line) => (
        <Checkbox
          key={line.id}
          label={textOf(line)}
          help={helpOf(line)}
          checked={!keep.includes(line.id)}
          onValue={(isTicked) =>
            setKeep((before) => (isTicked ? before.filter((id) => id !== line.id) : [...before, line.id]))
          }
        />
      ))}
    </ConfirmSheet>
  );
  return { start: () => void start(), sheet };
}
