// Package substrait turns Substrait's expressions, the filters of Arrow's own packages and of planners
// of other systems, into conditions of winnow.
//
// What never comes here: expressions that are no condition on rows of one table.
package substrait
