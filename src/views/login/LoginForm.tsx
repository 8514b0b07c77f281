import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';

import { useText } from '../../i18n.ts';
import { safeRedirect } from '../../routes/redirect.ts';
import { Button } from '../../ui/Button.tsx';

interface LoginFormProps {
  readonly title: string;
  readonly submit: () => Promise<void>;
  /** The sentence for an error that `submit` threw; undefined shows none (spec 8: multi-factor required). */
  readonly explain: (error: unknown) => string | undefined;
  readonly children: ReactNode;
  readonly footer: ReactNode;
}

const route = getRouteApi('/login');

/** A sign-in form: submits on Enter, says what failed, keeps what was typed, and goes where the person was heading. */
export function LoginForm({ title, submit, explain, children, footer }: LoginFormProps) {
  const text = useText();
  const navigate = useNavigate();
  const { redirect, organization } = route.useSearch();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await submit();
      await navigate({ href: safeRedirect(redirect, organization) });
    } catch (failure) {
      setError(explain(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-3.5">
      <h1 className="text-title font-semibold">{title}</h1>
      {children}
      {error && (
        <p role="alert" className="text-error-text">
          {error}
        </p>
      )}
      <Button type="submit" tone="primary" className="mt-1 h-8" disabled={busy}>
        {text(busy ? 'login.busy' : 'login.submit')}
      </Button>
      <p className="pt-1 text-label text-ink-3">{footer}</p>
    </form>
  );
}
