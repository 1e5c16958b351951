// Marks the current section in the menu: the last heading above the top of the window.
const menuLinks = new Map([...document.querySelectorAll('.menu a')].map(link => [link.hash.slice(1), link]))
const marks = [...menuLinks.keys()]
  .map(id => document.getElementById(id))
  .filter(mark => mark !== null)
  // Sort by position on the page, because the menu has another order: the menu lists "Limits by plan" among the rules,
  // but the page shows "Limits by plan" before the pets.
  .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
const contents = document.getElementById('contents')

function markPlace() {
  const passed = marks.filter(mark => mark.getBoundingClientRect().top <= 140)
  const here = menuLinks.get((passed.at(-1) ?? marks[0])?.id)
  if (!here || here.getAttribute('aria-current') === 'location') return
  for (const link of menuLinks.values()) link.removeAttribute('aria-current')
  here.setAttribute('aria-current', 'location')
  // Scroll only the menu, and only if it has its own scroll bar.
  const { top, bottom } = here.getBoundingClientRect()
  const frame = contents.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) contents.scrollTop += top - frame.top - frame.height / 2
}
let isMarking = false
addEventListener(
  'scroll',
  () => {
    if (isMarking) return
    isMarking = true
    requestAnimationFrame(() => {
      isMarking = false
      markPlace()
    })
  },
  { passive: true },
)
markPlace()
