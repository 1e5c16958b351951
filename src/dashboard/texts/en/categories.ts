export const name = 'Name'
export const numberLabel = 'Number'
export const pets = 'Pets'
export const actions = 'Actions'
export const numberCategoryId = (categoryId: string) => `Number ${categoryId}`
export const actionsForName = (name: string) => `Actions for ${name}`
export const rename = 'Rename'
export const remove = 'Remove'
export const addCategory = 'Add category'
export const nameCategoriesYourPetsBelong =
  'Name the categories your pets belong to. Viewing and editing count against your requests per minute.'
export const categories = 'Categories'
export const categoriesInSentence = 'categories'
export const searchByName = 'Search by name'
export const categoriesCouldNotBeLoaded = 'The categories could not be loaded'
export const noCategoriesMatchYourSearch = 'No categories match your search'
export const noCategoryHasName = 'No category has a name'
export const tryDifferentName = 'Try a different name.'
export const noMatchesSoFar = 'No matches so far. The next page keeps searching.'
export const petsHaveNumberOfCategory =
  'Each pet has the number of a category. Name the category to see its name beside its pets.'
export const removedName = (name: string) => `Removed ${name}.`
export const removeName = (name: string) => `Remove ${name}?`
export const itsPetsStayAndKeep = (categoryId: string) =>
  `Its pets stay, and keep the number ${categoryId}, which then has no name.`
export const categoryCouldNotBeRemoved = 'The category could not be removed'
export const removing = 'Removing…'
export const enterNameOfAtMost = 'Enter a name of at most 100 characters.'
export const renamedNameToNamed = (name: string, named: string) => `Renamed ${name} to ${named}.`
export const namedCategoryCategoryIdNamed = (categoryId: string, named: string) =>
  `Named category ${categoryId} ${named}.`
export const renameName = (name: string) => `Rename ${name}`
export const enterNumberOfCategorySuch = 'Enter the number of a category, such as 7.'
export const numberThatItsPetsHave =
  'The category number of the pets. If the category has a name already, the new name replaces it.'
export const someoneElseChangedThis = 'Someone else changed this category'
export const yourNameIsNot = 'Your name is not saved.'
export const viewLatest = 'View latest'
export const categoryCouldNotBeNamed = 'The category could not be named'
export const save = 'Save'
export const saving = 'Saving…'
