import { BRANDS, type Brand } from "@lambda/brands";
import { Checkbox } from "@lambda/ui/checkbox";
import { useLocale } from "../format/i18n.ts";
import { useBrand } from "../format/site.ts";

/** The home brand of a member who has not been asked about sharing: until then, `sharedOn` names only that. */
export function useHomeBrand(sharedOn: number): Brand {
  const brand = useBrand();
  return BRANDS.find(({ bit }) => bit === sharedOn) ?? brand;
}

interface SisterBrandsProps {
  readonly home: Brand;
  /** The bits of the chosen brands. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

export function SisterBrands({ home, value, onChange }: SisterBrandsProps) {
  const [locale] = useLocale();
  return BRANDS.filter(({ id }) => id !== home.id).map((sister) => (
    <Checkbox
      key={sister.id}
      label={sister.name}
      help={sister.tagline[locale]}
      checked={(value & sister.bit) !== 0}
      onChange={() => onChange(value ^ sister.bit)}
    />
  ));
}
