import { createElement, Fragment, type ReactNode } from 'react'

/** Inserts elements into a text. Each language decides where each element goes. */
export const woven = (texts: TemplateStringsArray, ...parts: ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...texts.flatMap((text, index) => [text, parts[index]]))
