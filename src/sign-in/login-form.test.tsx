import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { i18n } from '#src/i18n/i18n.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import { email, required } from './form/checks.ts';
import { CodeField } from './form/CodeField.tsx';
import { LoginForm } from './form/LoginForm.tsx';
import { PasswordField } from './form/PasswordField.tsx';
import { problemOf } from './form/problems.ts';
import { TextField } from './form/TextField.tsx';
import { useCodeForm } from './form/use-code-form.ts';
import { pageMessage } from './frame/texts.ts';

afterEach(cleanup);

const failure = (code: string) => Object.assign(new Error(code), { code });
const textbox = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });

function Example({ submit }: { readonly submit: (values: unknown) => Promise<void> }) {
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: (values) => ({
      name: required(values.name),
      email: email(values.email),
      password: required(values.password),
    }),
    submit,
    explain: (error) => problemOf(error, pageMessage('create.failed')),
  });
  return (
    <LoginForm form={form} title="Example" submitLabel="Send" busyLabel="Sending">
      <TextField form={form} name="name" label="Name" autoComplete="name" />
      <TextField form={form} name="email" label="Email" autoComplete="username" />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
    </LoginForm>
  );
}

async function fill(): Promise<void> {
  await userEvent.type(textbox(/^Name/), 'Finn');
  await userEvent.type(textbox(/^Email/), 'finn@example.com');
  await userEvent.type(screen.getByLabelText(/^Password/), 'Ahoy-123');
}

test('focuses the first invalid field and clears its error while typing', async () => {
  const submit = vi.fn<() => Promise<void>>();
  render(<Example submit={submit} />);
  await userEvent.type(textbox(/^Name/), 'Finn{Enter}');
  expect(document.activeElement).toBe(textbox(/^Email/));
  expect(textbox(/^Email/).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByRole('alert').map((element) => element.textContent)).toEqual([
    'Please enter a valid email.',
    'Please enter a value.',
  ]);
  await userEvent.keyboard('f');
  expect(document.activeElement).toBe(textbox(/^Email/));
  expect(textbox(/^Email/).hasAttribute('aria-invalid')).toBe(false);
  expect(submit).not.toHaveBeenCalled();
});

test('submits what a password manager filled in without an event', async () => {
  const submit = vi.fn<(values: unknown) => Promise<void>>(async () => {});
  render(<Example submit={submit} />);
  textbox(/^Email/).value = 'finn@example.com';
  screen.getByLabelText<HTMLInputElement>(/^Password/).value = 'Ahoy-123';
  await userEvent.type(textbox(/^Name/), 'Finn{Enter}');
  expect(submit).toHaveBeenCalledWith({ name: 'Finn', email: 'finn@example.com', password: 'Ahoy-123' });
});

test('submits only once, and keeps focus while submitting', async () => {
  const submit = vi.fn<() => Promise<void>>(() => new Promise(() => {}));
  render(<Example submit={submit} />);
  await fill();
  await userEvent.keyboard('{Enter}{Enter}');
  expect(submit).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('button', { name: 'Sending' }).getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(screen.getByLabelText(/^Password/));
});

test('keeps entered values after a failure and shows the error in place', async () => {
  const submit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(failure('auth/email-already-in-use'));
  submit.mockRejectedValueOnce(failure('auth/network-request-failed')).mockResolvedValue();
  render(<Example submit={submit} />);
  await fill();
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(textbox(/^Email/));
  expect(textbox(/^Email/).value).toBe('finn@example.com');
  expect(screen.getByRole('alert').textContent).toContain('already in use by an existing user');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('alert').textContent).toBe("Connection error: the sign-in service couldn't be reached.");
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows and hides the password without losing it', async () => {
  render(<Example submit={() => Promise.resolve()} />);
  await fill();
  await userEvent.click(screen.getByRole('button', { name: 'Show Password' }));
  expect(textbox(/^Password/).value).toBe('Ahoy-123');
  await userEvent.click(screen.getByRole('button', { name: 'Hide Password' }));
  expect(screen.queryByRole('textbox', { name: /^Password/ })).toBeNull();
});

test('translates an error again when the language changes', async () => {
  i18n.addResourceBundle('nl', 'login', { required: 'Vul een waarde in.' });
  try {
    render(<Example submit={() => Promise.resolve()} />);
    await userEvent.type(textbox(/^Email/), 'finn@example.com{Enter}');
    expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Please enter a value.');
    await act(() => i18n.changeLanguage('nl'));
    expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Vul een waarde in.');
  } finally {
    await act(() => i18n.changeLanguage('en'));
    i18n.removeResourceBundle('nl', 'login');
  }
});

test('submits a code with its last digit, and again once it is corrected', async () => {
  const submit = vi.fn<(code: string) => Promise<void>>().mockResolvedValue();
  submit.mockRejectedValueOnce(failure('auth/invalid-verification-code'));
  function CodeExample() {
    const form = useCodeForm(submit, pageMessage('factor.failed'));
    return (
      <LoginForm form={form} title="Code" submitLabel="Send" busyLabel="Sending">
        <CodeField form={form} label="Code" />
      </LoginForm>
    );
  }
  render(<CodeExample />);
  await userEvent.type(textbox(/^Code/), '12 345');
  expect(submit).not.toHaveBeenCalled();
  await userEvent.keyboard('6');
  expect(submit.mock.calls).toEqual([['123456']]);
  expect(textbox(/^Code/).getAttribute('aria-invalid')).toBe('true');
  await userEvent.keyboard('{Backspace}7');
  expect(submit.mock.calls).toEqual([['123456'], ['123457']]);
  expect(screen.queryByRole('alert')).toBeNull();
});
