// The samples' script: one language for the whole page, remembered; copied samples contain the reader's key.
const languagePlace = 'animal-store.language'
const samples = [...document.querySelectorAll('.samples')]

function showLanguage(language) {
  for (const block of samples) {
    const has = block.querySelector(`pre[data-language="${language}"]`)
    const shown = has ? language : block.querySelector('pre').dataset.language
    for (const pre of block.querySelectorAll('pre')) pre.hidden = pre.dataset.language !== shown
    for (const button of block.querySelectorAll('button[data-language]')) {
      button.setAttribute('aria-pressed', button.dataset.language === shown)
    }
  }
}
showLanguage(localStorage.getItem(languagePlace) ?? 'curl')

for (const block of samples) {
  block.addEventListener('click', ({ target }) => {
    const { language } = target.dataset
    if (target.matches('.copy')) {
      const text = block.querySelector('pre:not([hidden])').textContent
      const filled = key.value.trim() ? text.replaceAll('as_...', key.value.trim()) : text
      copyFrom(target, filled)
    } else if (language) {
      // Samples above may change their height, so keep the button under the pointer.
      const before = target.getBoundingClientRect().top
      showLanguage(language)
      scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
      localStorage.setItem(languagePlace, language)
    }
  })
}

for (const link of document.querySelectorAll('.anchor')) {
  link.addEventListener('click', () => copyFrom(link, link.href))
}

/** Pages served over plain HTTP from another machine have no clipboard API. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = element('textarea', text)
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser refused.')
}

/** Copies a text, and shows the result on the button for a moment. */
async function copyFrom(button, text) {
  // Another click may come while the button shows the result.
  button.dataset.label ??= button.textContent
  button.textContent = await copy(text).then(
    () => 'Copied',
    () => 'Not copied',
  )
  setTimeout(() => {
    button.textContent = button.dataset.label
  }, 1500)
}
