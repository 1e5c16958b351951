const place = 'animal-store.theme'
const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The theme is a choice of the reader, so it is stored beyond the session. */
export const readTheme = (): Theme => themes.find(theme => theme === localStorage.getItem(place)) ?? 'system'

export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(place)
  else localStorage.setItem(place, theme)
  showTheme(theme)
}

export const nextTheme = (theme: Theme): Theme =>
  themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
