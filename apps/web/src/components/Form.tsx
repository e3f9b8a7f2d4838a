import { type FormHTMLAttributes, type Ref, useEffect } from "react";
import { watchFilledFields } from "./filled-fields.ts";

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  ref?: Ref<HTMLFormElement>;
  /** Called with what the fields hold, whoever filled them. Fields with a `value` have told their component before. */
  onSubmit: (typed: FormData, form: HTMLFormElement) => unknown;
}

/** Every form: submits what the member sees in it, also where a password manager filled it without an event. */
export function Form({ onSubmit, ...rest }: FormProps) {
  useEffect(watchFilledFields, []);
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        // React passes the events of a sheet to the form that opened it.
        event.stopPropagation();
        void onSubmit(new FormData(event.currentTarget), event.currentTarget);
      }}
    />
  );
}
