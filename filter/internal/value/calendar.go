package value

// The calendar is the Gregorian one, before its time too.

// Civil returns the year, month and day of a day, by the proleptic Gregorian calendar. Years begin in
// March here, so that a leap day is the last of its year:
//
//	400 years    146,097 days
//	5 months     153 days, from March and from August on
func Civil(day int64) (year, month, ofMonth int64) {
	const eras = 1 << 22                         // before the year 0: no day of a column is before them
	day += 719468 + eras*146097                  // since the first of them, and March 1
	quarters := uint32(uint64(day)%146097)*4 + 3 // of a day: a century has 146,097 of them
	century := quarters / 146097
	ofCentury := uint64(quarters%146097/4)*4 + 3
	split := ofCentury * 2939745 // 2^32 / 1461, rounded: the year of the century, and the rest of the year
	ofYear := uint32(split) / 2939745 / 4
	m := 2141*ofYear + 197913 // 2^16 / 30.6, rounded: the month, and the rest of it
	year, month = (int64(uint64(day)/146097)-eras)*400+int64(century)*100+int64(split>>32), int64(m>>16)
	if month > 12 {
		month, year = month-12, year+1
	}
	return year, month, int64(m&0xffff/2141) + 1
}

// Year returns the year of a day.
func Year(day int64) int64 {
	year, _, _ := Civil(day)
	return year
}

// NewYear returns the first day of a year.
func NewYear(year int64) int64 {
	y := year - 1 // whole years since 0001-01-01
	return 365*y + FloorDiv(y, 4) - FloorDiv(y, 100) + FloorDiv(y, 400) - 719162
}

// dayOf returns the first day of a month, given as months since the year 0.
func dayOf(months int64) int64 {
	year := FloorDiv(months, 12)
	month := months - year*12 + 1
	if month < 3 { // in front of the leap day
		return NewYear(year) + 31*(month-1)
	}
	return NewYear(year+1) - 306 + (153*(month-3)+2)/5
}

// monthOf returns the month of a day, as months since the year 0, and the day within it.
func monthOf(days int64) (months, day int64) {
	year, month, day := Civil(days)
	return year*12 + month - 1, day
}

// AddMonths adds months to a day. A day that the month lacks becomes its last.
func AddMonths(days, months int64) int64 {
	month, day := monthOf(days)
	month += months
	return min(dayOf(month)+day, dayOf(month+1)) - 1
}
