import { Button } from "@lambda/ui/button";
import { useBillingCopy } from "./copy/billing.ts";
import css from "./pages.module.css";

export default function BillingScreen() {
  const copy = useBillingCopy();
  return (
    <div className={`stack gap-3 full-width letter ${css.page}`}>
      <h2 className="type-display">{copy.title}</h2>
      <p className="type-lead">{copy.lead}</p>
      <dl className={`ruled-below ${css.plans}`}>
        {copy.plans.map((plan) => (
          <div key={plan.price} className={`stack gap-1 ruled ${css.plan}`}>
            <dt className={`wrap between align-baseline type-name bold font-display ${css.name}`}>
              {plan.name} <span className={`accent type-lead ${css.price}`}>{plan.price}</span>
            </dt>
            <dd className="muted">{plan.text}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-4">{copy.how}</h3>
      <p className="muted">{copy.howText}</p>
      <Button href="/contactus" label={copy.contact} />
      <h3 className="mt-4">{copy.credits}</h3>
      <p className="muted">{copy.creditsText}</p>
    </div>
  );
}
