import { Button } from "@lambda/ui/button";
import { trpc } from "../../api/trpc.ts";
import { QueryState } from "../../components/QueryState.tsx";
import { useAction } from "../../components/use-action.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { isHimCopy } from "../games/person-check/copy.ts";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

const STILLS = 3;
const ANSWERS = ["him", "not_him", "unclear"] as const;

/** Checks that players did not decide. The verdict deletes the stills. Nothing while none waits. */
export function PersonChecks() {
  const copy = useCopy(dashboardCopy);
  const texts = useCopy(isHimCopy);
  const [locale] = useLocale();
  const checks = trpc.admin.personChecks.useQuery();
  const decide = trpc.admin.decidePersonCheck.useMutation(useAction({ refresh: [trpc.admin.personChecks] }));
  if (!checks.data) return <QueryState query={checks} />;
  if (checks.data.items.length === 0) return null;
  return (
    <>
      <p className="muted">{copy.checksText}</p>
      <ul className="stack gap-5 plain-list">
        {checks.data.items.map(({ profileId, pose, pictures, refusals, tsWaiting }) => (
          <li className="stack gap-2 content-start" key={profileId} data-row>
            <span>
              <strong>{texts.question}</strong>{" "}
              <span className="muted">
                {new Date(tsWaiting).toLocaleDateString(locale)}
                {refusals > 0 && ` · ${copy.refusals(refusals)}`}
              </span>
            </span>
            <p>{texts.pose(pose)}</p>
            <div className={`stack gap-1 ${css.compared}`}>
              {Array.from({ length: STILLS + pictures }, (_, index) => index).map((index) => (
                <img
                  key={index}
                  alt={index < STILLS ? copy.still(index + 1) : copy.publicPicture(index + 1 - STILLS)}
                  src={`/api/admin/person-check/${profileId}/${index}`}
                />
              ))}
            </div>
            <div className="wrap gap-3 align-end">
              {ANSWERS.map((answer) => (
                <Button key={answer} disabled={decide.isPending} onClick={() => decide.mutate({ profileId, answer })}>
                  {texts[answer]}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
