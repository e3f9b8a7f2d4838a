import { Button } from "@lambda/ui/button";
import { useCopy } from "../../format/i18n.ts";
import css from "./billing.module.css";
import { billingCopy } from "./copy/billing.ts";
import letter from "./letter.module.css";

export default function BillingScreen() {
  const copy = useCopy(billingCopy);
  return (
    <div className={css.page}>
      <h2 className={letter.title}>{copy.title}</h2>
      <p className={css.lead}>{copy.lead}</p>
      <dl className={css.plans}>
        {copy.plans.map((plan) => (
          <div key={plan.price} className={css.plan}>
            <dt className={css.name}>
              {plan.name} <span className={css.price}>{plan.price}</span>
            </dt>
            <dd className={css.text}>{plan.text}</dd>
          </div>
        ))}
      </dl>
      <h3>{copy.how}</h3>
      <p className={css.text}>{copy.howText}</p>
      <div>
        <Button href="/contactus">{copy.contact}</Button>
      </div>
      <h3>{copy.credits}</h3>
      <p className={css.text}>{copy.creditsText}</p>
    </div>
  );
}
