// Package window walks over the rows of a row group.
//
//	wanted     [        ]   [  ]        [              ]
//	Windows    [  1 ][    2    ]        [   3   ][  4  ]     rows that are tested at a time
//	Survivors         x xx x                                 those of the last window that passed
//	pieces           [  ][   ]                               of them that are read at a time
//
// A Sizer chooses how many rows a window has, so that batches stay near their budget.
//
// What never comes here: filters, what is read of a window.
package window
