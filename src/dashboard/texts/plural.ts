type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Returns a function that chooses the form of a word for a count, by the rules of a language. */
export function pluralsOf(language: string) {
  const rules = new Intl.PluralRules(language)
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other
}
