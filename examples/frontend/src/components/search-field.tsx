import { useEffect, useEffectEvent, useId, useState } from 'react';

const pauseMs = 300;

interface SearchFieldProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** A search field that searches when the user pauses. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  // The value changes without the user typing, such as by a link to the list.
  if (searched !== value) {
    setSearched(value);
    setText(value);
  }
  const search = useEffectEvent((wanted: string) => {
    if (wanted !== value) onSearch(wanted);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="search" value={text} onChange={({ target }) => setText(target.value)} />
    </search>
  );
}
