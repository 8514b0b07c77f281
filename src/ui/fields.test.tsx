import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type FormEvent } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { Button } from './Button.tsx';
import { Checkbox } from './fields/Checkbox.tsx';
import { Field } from './fields/Field.tsx';
import { Select } from './fields/Select.tsx';
import { TextInput } from './fields/TextInput.tsx';

afterEach(cleanup);

describe('Field', () => {
  test('names its control, marks it required, and describes it', () => {
    render(
      <Field label="URL" required hint="https only">
        <TextInput value="" onText={() => {}} />
      </Field>,
    );
    const input = screen.getByRole('textbox', { name: /^URL/ });
    expect(input.getAttribute('aria-required')).toBe('true');
    expect(input.hasAttribute('aria-invalid')).toBe(false);
    const hint = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('https only');
    expect(screen.getByText('*')).toBeTruthy();
  });

  test('announces only the first error', () => {
    render(
      <Field label="Email" errors={['Please enter a valid email.', 'Please enter a value.']}>
        <TextInput value="x" onText={() => {}} />
      </Field>,
    );
    expect(screen.getByRole('alert').textContent).toBe('Please enter a valid email.');
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('textbox').getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
  });
});

test('shows the placeholder of a select until an option is selected', async () => {
  function Lifecycle() {
    const [value, setValue] = useState<'INSTALLED' | 'PAUSED'>();
    const options = [
      { value: 'INSTALLED', label: 'Installed' },
      { value: 'PAUSED', label: 'Paused' },
    ] as const;
    return <Select aria-label="Lifecycle" placeholder="Various" value={value} options={options} onValue={setValue} />;
  }
  render(<Lifecycle />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Lifecycle' });
  expect(select.selectedOptions[0]?.textContent).toBe('Various');
  await userEvent.selectOptions(select, 'Paused');
  expect(select.value).toBe('PAUSED');
  expect(screen.queryByText('Various')).toBeNull();
});

test('submits the form when Enter is pressed on a checkbox', async () => {
  const onSubmit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Field label="Accept">
        <Checkbox checked={false} onChecked={() => {}} />
      </Field>
    </form>,
  );
  screen.getByRole('checkbox').focus();
  await userEvent.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledOnce();
});

test('toggles a checkbox when its label is clicked', async () => {
  const onChecked = vi.fn<(checked: boolean) => void>();
  render(<Checkbox checked="mixed" onChecked={onChecked} label="Overwrite notes" />);
  expect(screen.getByRole('checkbox', { name: 'Overwrite notes' }).getAttribute('aria-checked')).toBe('mixed');
  await userEvent.click(screen.getByText('Overwrite notes'));
  expect(onChecked).toHaveBeenCalledWith(true);
});

test('shows why a button is disabled and ignores clicks on it', async () => {
  const onClick = vi.fn<() => void>();
  render(
    <Button disabledReason="needs EDIT_DEVICE" onClick={onClick}>
      Edit
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Edit' });
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe('needs EDIT_DEVICE');
  expect(button.dataset['tip']).toBe('needs EDIT_DEVICE');
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
});
