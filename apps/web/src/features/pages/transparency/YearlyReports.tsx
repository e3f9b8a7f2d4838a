import { FIRST_REPORT_YEAR } from "@lambda/contract/transparency";
import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { saveFile } from "../../../device/save-file.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import css from "./transparency.module.css";
import { transparencyCopy } from "./transparency-copy.ts";

const FORMATS = { html: "text/html", csv: "text/csv", json: "application/json" } as const;
type Format = keyof typeof FORMATS;

/** Downloads of the yearly reports, newest year first. */
export function YearlyReports() {
  const copy = useCopy(transparencyCopy).yearly;
  const [locale] = useLocale();
  const toast = useToast();
  const utils = trpc.useUtils();
  const thisYear = new Date().getUTCFullYear();
  const years = Array.from({ length: Math.max(1, thisYear - FIRST_REPORT_YEAR + 1) }, (_, index) => thisYear - index);
  const save = async (year: number, format: Format) => {
    try {
      const { csv, html, ...report } = await utils.transparency.report.fetch({ year, locale });
      const text = { csv, html, json: JSON.stringify(report, null, 2) }[format];
      saveFile(new Blob([text], { type: `${FORMATS[format]};charset=utf-8` }), `transparency-${year}.${format}`);
    } catch (error) {
      toast({ text: errorText(error), tone: "danger" });
    }
  };
  return (
    <ul className={css.years}>
      {years.map((year) => (
        <li key={year}>
          <span>{year === thisYear ? copy.soFar(year) : year}</span>
          {(Object.keys(FORMATS) as Format[]).map((format) => (
            <Button
              key={format}
              aria-label={copy.save(year, copy.formats[format])}
              onClick={() => void save(year, format)}
            >
              {copy.formats[format]}
            </Button>
          ))}
          <a href={`/api/transparency/report/${year}?locale=${locale}`}>{copy.api}</a>
        </li>
      ))}
    </ul>
  );
}
