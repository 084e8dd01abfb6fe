import { type FieldError, isProfileError } from '@profile-service/client';
import { createContext, type ReactNode, use, useEffect, useId, useRef } from 'react';
import { ErrorMessage } from './error-message.tsx';

const FieldErrors = createContext<readonly FieldError[]>([]);

interface FormProps {
  /** The error of the last submission. Errors of fields are shown at the fields whose `name` is their path. */
  error: unknown;
  /** While a submission is pending, the form cannot be submitted again. Give its button `aria-disabled`, which keeps the focus. */
  isPending: boolean;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
}

/** A form whose values are checked by the service. Moves the focus to the first invalid field. */
export function Form({ error, isPending, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const fieldErrors = isProfileError(error, 'VALIDATION_FAILED') ? error.fieldErrors : [];
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert] button')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {fieldErrors.length > 0 ? (
        <p className="notice error" role="alert">
          <strong>Nothing was saved. Correct the marked fields.</strong>
        </p>
      ) : (
        error != null && <ErrorMessage error={error} />
      )}
      <FieldErrors value={fieldErrors}>{children}</FieldErrors>
    </form>
  );
}

interface FieldProps {
  label: string;
  /** The path of the field in the input of the call, such as `address.zipCode`. */
  name: string;
  hint?: string;
  /** Renders the control with these properties. Default: an input. */
  children?: (control: ControlProps) => ReactNode;
}
interface ControlProps {
  id: string;
  name: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

/** A labelled control, with the error that the service returned for it. */
export function Field({ label, name, hint, children, ...input }: FieldProps & Omit<React.ComponentProps<'input'>, 'children'>) {
  const id = useId();
  const error = use(FieldErrors).find(({ path }) => path === name)?.message;
  const control = { id, name, 'aria-invalid': error !== undefined, 'aria-describedby': `${id}-description` };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children ? children(control) : <input {...input} {...control} />}
      <p id={`${id}-description`} className={error ? 'field-error' : 'hint'}>
        {error ?? hint}
      </p>
    </div>
  );
}

/** Returns the text of a field; null if it is empty. */
export function textOf(values: FormData, name: string): string | null {
  const value = values.get(name);
  return typeof value === 'string' && value.trim() ? value.trim() : null;
}
